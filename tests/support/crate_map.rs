//! Reads the modules of a crate from its sources: what each defines, re-exports and uses.
//!
//! The sources are parsed, so a path counts wherever it occurs: in a `use` inside a function, in
//! the middle of an expression, or among the tokens of a macro. Code under `#[cfg(test)]` is left
//! out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// A path within the crate, from its root: `["events", "grouping"]`.
type ModulePath = Vec<String>;

/// The modules of one crate by their paths, joined by `::`. The root is the empty string.
#[derive(Debug, Default)]
pub struct CrateMap {
    modules: BTreeMap<String, Module>,
    /// Fields, variants and associated items, as `Type::member`.
    members: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Module {
    items: BTreeSet<String>,
    /// Names that the module imports by `use`, with their paths.
    imports: BTreeMap<String, ModulePath>,
    /// Modules from which it imports all names.
    globs: Vec<ModulePath>,
    /// All paths in the module's code that begin with `crate`, `self` or `super`.
    used: BTreeSet<ModulePath>,
}

impl CrateMap {
    /// Parses every source file below a folder.
    pub fn read(folder: &Path) -> CrateMap {
        let mut map = CrateMap::default();
        for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
            let path = entry.expect("a source folder").into_path();
            if path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let inside =
                path.strip_prefix(folder).expect("a path in the folder").with_extension("");
            let mut at: ModulePath =
                inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if at.last().is_some_and(|last| last == "mod" || last == "lib") {
                at.pop();
            }
            let text = fs::read_to_string(&path).expect("a source file");
            let file = syn::parse_file(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            map.modules.entry(at.join("::")).or_default();
            Reader { map: &mut map, at }.visit_file(&file);
        }
        map
    }

    /// Returns the paths of all modules.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.modules.keys().map(String::as_str)
    }

    /// Returns the paths that the code of a module mentions, from the root of the crate.
    pub fn used(&self, module: &str) -> impl Iterator<Item = &[String]> {
        self.modules[module].used.iter().map(Vec::as_slice)
    }

    /// Returns the module that defines the item of a path, and the remainder of the path from the
    /// item on.
    ///
    /// Re-exports are followed. Returns `None` if the path leaves the crate or has no target.
    pub fn resolve<'a>(&'a self, path: &[String]) -> Option<(&'a str, Vec<String>)> {
        self.resolve_within(path, 20)
    }

    fn resolve_within<'a>(&'a self, path: &[String], steps: u32) -> Option<(&'a str, Vec<String>)> {
        let steps = steps.checked_sub(1)?;
        let length = (0..=path.len())
            .rev()
            .find(|length| self.modules.contains_key(&path[..*length].join("::")))?;
        let (name, module) = self.modules.get_key_value(&path[..length].join("::"))?;
        let Some(item) = path.get(length) else { return Some((name, Vec::new())) };
        let rest = &path[length + 1..];
        if module.items.contains(item) {
            return Some((name, path[length..].to_vec()));
        }
        if let Some(target) = module.imports.get(item) {
            return self.resolve_within(&[target, rest].concat(), steps);
        }
        module
            .globs
            .iter()
            .find_map(|glob| self.resolve_within(&[glob, &path[length..]].concat(), steps))
    }

    /// Returns whether a path leads to a module, an item or a member of a type.
    pub fn has(&self, path: &[String]) -> bool {
        match self.resolve(path).as_ref().map(|(_, rest)| rest.as_slice()) {
            Some([] | [_]) => true,
            Some([item, member]) => self.members.contains(&format!("{item}::{member}")),
            _ => false,
        }
    }
}

/// Adds one file to the map.
struct Reader<'a> {
    map: &'a mut CrateMap,
    at: ModulePath,
}

impl Reader<'_> {
    fn module(&mut self) -> &mut Module {
        self.map.modules.entry(self.at.join("::")).or_default()
    }

    /// Returns a path from the root, if it begins within the crate.
    fn absolute(&self, path: &[String]) -> Option<ModulePath> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.at.clone(),
            "super" => self.at[..self.at.len().checked_sub(1)?].to_vec(),
            _ => return None,
        };
        let mut rest = &path[1..];
        while rest.first().is_some_and(|word| word == "super") {
            base.pop()?;
            rest = &rest[1..];
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn mention(&mut self, path: &[String]) {
        if let Some(path) = self.absolute(path) {
            self.module().used.insert(path);
        }
    }

    fn import(&mut self, tree: &UseTree, before: &[String], is_export: bool) {
        match tree {
            UseTree::Path(path) => {
                self.import(&path.tree, &extended(before, &path.ident), is_export)
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, is_export);
                }
            }
            UseTree::Name(name) if name.ident == "self" => {
                let last = before.last().expect("a word before self").clone();
                self.imported(last, before.to_vec(), is_export);
            }
            UseTree::Name(name) => {
                self.imported(name.ident.to_string(), extended(before, &name.ident), is_export);
            }
            UseTree::Rename(name) => {
                self.imported(name.rename.to_string(), extended(before, &name.ident), is_export);
            }
            UseTree::Glob(_) => {
                let path = self.reach(before);
                self.mention(before);
                self.module().globs.push(path);
            }
        }
    }

    /// Returns the path of a `use` from the root. A path without a keyword begins in this module.
    fn reach(&self, path: &[String]) -> ModulePath {
        self.absolute(path).unwrap_or_else(|| [&self.at, path].concat())
    }

    fn imported(&mut self, name: String, path: ModulePath, is_export: bool) {
        // A re-export is not a use.
        if !is_export {
            self.mention(&path);
        }
        let path = self.reach(&path);
        self.module().imports.insert(name, path);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(word) if colons == 2 && !path.is_empty() => {
                    path.push(word.to_string());
                }
                TokenTree::Ident(word) => {
                    self.mention(&std::mem::take(&mut path));
                    path.push(word.to_string());
                }
                TokenTree::Group(group) => {
                    self.mention(&std::mem::take(&mut path));
                    self.tokens(group.stream());
                }
                _ => self.mention(&std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.mention(&path);
    }

    /// Records what a macro defines: `struct Name`, or `Name { ... }` alone. Constants in the
    /// braces of a named item are its members, as in `bitflags!`.
    fn defined(&mut self, tokens: TokenStream) {
        let mut words: Vec<String> = Vec::new();
        let mut owner: Option<String> = None;
        for token in tokens {
            match token {
                TokenTree::Ident(word) if is_defining(words.last()) => {
                    self.module().items.insert(word.to_string());
                    owner = Some(word.to_string());
                }
                TokenTree::Ident(word) => words.push(word.to_string()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.module().items.extend(words.pop());
                    if let Some(owner) = owner.take() {
                        self.constants(&owner, group.stream());
                    }
                }
                _ => words.clear(),
            }
        }
    }

    /// Records the constants among the tokens as members of a type.
    fn constants(&mut self, owner: &str, tokens: TokenStream) {
        let mut is_constant = false;
        for token in tokens {
            let TokenTree::Ident(word) = token else { continue };
            if is_constant {
                self.members(owner, std::iter::once(&word));
            }
            is_constant = word == "const";
        }
    }

    fn members<'a>(&mut self, of: &str, names: impl Iterator<Item = &'a syn::Ident>) {
        self.map.members.extend(names.map(|name| format!("{of}::{name}")));
    }
}

/// Returns a path with one more word.
fn extended(path: &[String], word: &syn::Ident) -> ModulePath {
    [path, &[word.to_string()]].concat()
}

/// Returns whether the word after a keyword is the name of an item.
fn is_defining(keyword: Option<&String>) -> bool {
    matches!(
        keyword.map(String::as_str),
        Some("const" | "enum" | "fn" | "static" | "struct" | "trait" | "type")
    )
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, attributes) = match item {
            Item::Const(item) => (Some(&item.ident), &item.attrs),
            Item::Enum(item) => {
                self.members(&item.ident.to_string(), item.variants.iter().map(|one| &one.ident));
                (Some(&item.ident), &item.attrs)
            }
            Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
            Item::Mod(item) => (None, &item.attrs),
            Item::Static(item) => (Some(&item.ident), &item.attrs),
            Item::Struct(item) => {
                let fields = item.fields.iter().filter_map(|field| field.ident.as_ref());
                self.members(&item.ident.to_string(), fields);
                (Some(&item.ident), &item.attrs)
            }
            Item::Trait(item) => (Some(&item.ident), &item.attrs),
            Item::Type(item) => (Some(&item.ident), &item.attrs),
            Item::Macro(item) => {
                self.defined(item.mac.tokens.clone());
                (item.ident.as_ref(), &item.attrs)
            }
            Item::Impl(item) => {
                if let syn::Type::Path(of) = &*item.self_ty {
                    let of = of.path.segments.last().expect("a type has a name").ident.to_string();
                    let names = item.items.iter().filter_map(|member| match member {
                        syn::ImplItem::Const(member) => Some(&member.ident),
                        syn::ImplItem::Fn(member) => Some(&member.sig.ident),
                        _ => None,
                    });
                    self.members(&of, names);
                }
                (None, &item.attrs)
            }
            Item::Use(item) => (None, &item.attrs),
            _ => return visit::visit_item(self, item),
        };
        if is_for_tests(attributes) {
            return;
        }
        if let Some(name) = name {
            self.module().items.insert(name.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let Some((_, items)) = &item.content else { return };
        self.at.push(item.ident.to_string());
        self.module();
        for item in items {
            self.visit_item(item);
        }
        self.at.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_export = !matches!(item.vis, syn::Visibility::Inherited);
        self.import(&item.tree, &[], is_export);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if words.len() > 1 {
            self.mention(&words);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}
