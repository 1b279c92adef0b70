//! The files for search engines and browsers: the site map, `robots.txt`, and the description of
//! the search (OpenSearch 1.1).

use std::io;

use super::xml::{XmlWriter, document, end_line, write_text};

/// Addresses that one site map may hold (sitemaps.org).
pub(super) const LARGEST_MAP: usize = 50_000;

/// The namespace of site maps.
const NAMESPACE: (&str, &str) = ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9");

/// The site map of pages: the files with their names.
///
/// With more than `largest` pages, `sitemap.xml` is an index of other files.
pub(super) fn site_map(url: &str, paths: &[String], largest: usize) -> Vec<(String, Vec<u8>)> {
    let name = "sitemap.xml".to_owned();
    if paths.len() <= largest {
        return vec![(name, map(url, paths))];
    }
    let mut files = vec![(name, Vec::new())];
    for (paths, number) in paths.chunks(largest.max(1)).zip(1..) {
        files.push((format!("sitemap-{number}.xml"), map(url, paths)));
    }
    let maps = files[1..].iter().map(|(name, _)| format!("{url}{name}"));
    files[0].1 = address_file("sitemapindex", "sitemap", maps);
    files
}

/// A site map without an index.
fn map(url: &str, paths: &[String]) -> Vec<u8> {
    let pages = paths.iter().map(|path| path.strip_suffix("index.html").unwrap_or(path));
    address_file("urlset", "url", pages.map(|path| format!("{url}{path}")))
}

/// A file of addresses, each in its own element.
fn address_file(
    root: &'static str,
    element: &'static str,
    addresses: impl Iterator<Item = String>,
) -> Vec<u8> {
    document(|writer| {
        writer.create_element(root).with_attribute(NAMESPACE).write_inner_content(|writer| {
            end_line(writer)?;
            for address in addresses {
                writer.create_element(element).write_inner_content(|writer| {
                    write_text(writer.create_element("loc"), &address)
                })?;
                end_line(writer)?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

/// The file `robots.txt`; `None` if the site is below a path of its host. Robots read the file only
/// at the root.
pub(super) fn robots(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let is_root = rest.find('/') == Some(rest.len() - 1);
    is_root.then(|| format!("User-agent: *\nAllow: /\n\nSitemap: {url}sitemap.xml\n"))
}

/// The description of the search, which browsers offer as a search engine.
pub(super) fn open_search(url: &str) -> Vec<u8> {
    document(|writer| {
        writer
            .create_element("OpenSearchDescription")
            .with_attribute(("xmlns", "http://a9.com/-/spec/opensearch/1.1/"))
            .write_inner_content(|writer| write_search(writer, url))?;
        Ok(())
    })
}

fn write_search(writer: &mut XmlWriter, url: &str) -> io::Result<()> {
    end_line(writer)?;
    let description = "Search the players, events and terms of the Greatness Archive";
    for (name, text) in
        [("ShortName", "Greatness"), ("Description", description), ("InputEncoding", "UTF-8")]
    {
        write_text(writer.create_element(name), text)?;
        end_line(writer)?;
    }
    let attributes = [("width", "16"), ("height", "16"), ("type", "image/svg+xml")];
    let image = writer.create_element("Image").with_attributes(attributes);
    write_text(image, &format!("{url}icon.svg"))?;
    end_line(writer)?;
    let template = format!("{url}search.html?q={{searchTerms}}");
    writer
        .create_element("Url")
        .with_attributes([
            ("type", "text/html"),
            ("method", "get"),
            ("template", template.as_str()),
        ])
        .write_empty()?;
    end_line(writer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(file: &[u8]) -> &str {
        std::str::from_utf8(file).expect("XML is UTF-8")
    }

    fn paths(count: usize) -> Vec<String> {
        (0..count).map(|place| format!("events/{place}.html")).collect()
    }

    #[test]
    fn a_site_map_has_whole_addresses() {
        let paths = ["index.html".to_owned(), "years/1895.html".to_owned()];
        let files = site_map("https://example.org/a/", &paths, 2);
        let [(name, map)] = &files[..] else { panic!("{files:?}") };
        assert_eq!(name, "sitemap.xml");
        let map = text(map);
        assert!(map.contains("<loc>https://example.org/a/</loc>"));
        assert!(map.contains("<loc>https://example.org/a/years/1895.html</loc>"));
    }

    #[test]
    fn a_large_site_map_is_an_index_of_files_that_have_every_page_once() {
        let files = site_map("https://example.org/", &paths(7), 3);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]);
        let index = text(&files[0].1);
        assert!(index.contains("<sitemapindex"), "{index}");
        for name in &names[1..] {
            assert!(index.contains(&format!("<loc>https://example.org/{name}</loc>")), "{index}");
        }
        let all: String = files[1..].iter().map(|(_, file)| text(file)).collect();
        for path in paths(7) {
            assert_eq!(all.matches(&format!("/{path}</loc>")).count(), 1, "{path}");
        }
        assert!(files[1..].iter().all(|(_, file)| text(file).matches("<url>").count() <= 3));
    }

    #[test]
    fn robots_are_addressed_only_at_the_root_of_a_host() {
        let text = robots("https://example.org/").expect("a file");
        assert!(text.contains("Sitemap: https://example.org/sitemap.xml"), "{text}");
        assert_eq!(robots("https://example.org/chess/"), None);
        assert_eq!(robots(""), None);
    }

    #[test]
    fn the_description_of_the_search_leads_to_the_page_of_results() {
        let file = open_search("https://example.org/a&b/");
        let text = text(&file);
        assert!(
            text.contains("template=\"https://example.org/a&amp;b/search.html?q={searchTerms}\""),
            "{text}"
        );
    }
}
