//! What a page describes, for search engines: JSON-LD in the terms of schema.org.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::script::json;

/// The described things of a page. It serializes as the text of a script of the type
/// `application/ld+json`, which browsers do not execute.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkedData {
    things: Vec<Value>,
}

impl LinkedData {
    /// Adds a thing: an object with a `@type`.
    pub fn push(&mut self, thing: Value) {
        self.things.push(thing);
    }

    /// The path of pages that leads to a page, from the front page on: names and addresses.
    pub fn breadcrumbs(pages: &[(&str, String)]) -> Value {
        let steps = pages.iter().zip(1..).map(|((name, address), position)| {
            json!({ "@type": "ListItem", "position": position, "name": name, "item": address })
        });
        json!({ "@type": "BreadcrumbList", "itemListElement": steps.collect::<Vec<_>>() })
    }
}

impl Serialize for LinkedData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = match self.things[..] {
            [] => String::new(),
            _ => json(&json!({ "@context": "https://schema.org", "@graph": self.things })),
        };
        serializer.serialize_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_the_script() {
        let mut data = LinkedData::default();
        let name = "</script><script>alert(1)</script><!--";
        data.push(json!({ "@type": "Person", "name": name }));
        let Value::String(text) = serde_json::to_value(&data).unwrap() else { panic!("no text") };
        assert!(!text.contains('<'), "{text}");
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["@graph"][0]["name"], name);
    }

    #[test]
    fn a_page_that_describes_nothing_has_no_script() {
        assert_eq!(serde_json::to_value(LinkedData::default()).unwrap(), "");
    }
}
