//! The files for search engines and browsers: the site map, `robots.txt`, and the description of
//! the search (OpenSearch 1.1).

use super::xml::escaped;

/// Addresses that one site map may hold (sitemaps.org).
pub(super) const LARGEST_MAP: usize = 50_000;

/// The site map of pages: the files with their names.
///
/// With more than `largest` pages, `sitemap.xml` is an index of other files.
pub(super) fn site_map(url: &str, paths: &[String], largest: usize) -> Vec<(String, String)> {
    let name = "sitemap.xml".to_owned();
    if paths.len() <= largest {
        return vec![(name, map(url, paths))];
    }
    let parts = paths.chunks(largest.max(1)).zip(1..);
    let mut files: Vec<(String, String)> =
        parts.map(|(paths, number)| (format!("sitemap-{number}.xml"), map(url, paths))).collect();
    let address = |(name, _): &(String, String)| {
        format!("<sitemap><loc>{}{name}</loc></sitemap>\n", escaped(url))
    };
    let addresses: String = files.iter().map(address).collect();
    let index = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{addresses}</sitemapindex>\n"
    );
    files.insert(0, (name, index));
    files
}

/// One file of addresses.
fn map(url: &str, paths: &[String]) -> String {
    let address = |path: &String| {
        let path = path.strip_suffix("index.html").unwrap_or(path);
        format!("<url><loc>{}{}</loc></url>\n", escaped(url), escaped(path))
    };
    let addresses: String = paths.iter().map(address).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{addresses}</urlset>\n"
    )
}

/// The file `robots.txt`; `None` if the site is below a path of its host. Robots read the file only
/// at the root.
pub(super) fn robots(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let is_root = rest.find('/') == Some(rest.len() - 1);
    is_root.then(|| format!("User-agent: *\nAllow: /\n\nSitemap: {url}sitemap.xml\n"))
}

/// The description of the search, which browsers offer as a search engine.
pub(super) fn open_search(url: &str) -> String {
    let url = escaped(url);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n\
         <ShortName>Greatness</ShortName>\n\
         <Description>Search the players, events and terms of the Greatness Archive</Description>\n\
         <InputEncoding>UTF-8</InputEncoding>\n\
         <Image width=\"16\" height=\"16\" type=\"image/svg+xml\">{url}icon.svg</Image>\n\
         <Url type=\"text/html\" method=\"get\" template=\"{url}search.html?q={{searchTerms}}\"/>\n\
         </OpenSearchDescription>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(count: usize) -> Vec<String> {
        (0..count).map(|place| format!("events/{place}.html")).collect()
    }

    #[test]
    fn a_site_map_has_whole_addresses() {
        let paths = ["index.html".to_owned(), "years/1895.html".to_owned()];
        let files = site_map("https://example.org/a/", &paths, 2);
        let [(name, map)] = &files[..] else { panic!("{files:?}") };
        assert_eq!(name, "sitemap.xml");
        assert!(map.contains("<loc>https://example.org/a/</loc>"));
        assert!(map.contains("<loc>https://example.org/a/years/1895.html</loc>"));
    }

    #[test]
    fn a_large_site_map_is_an_index_of_files_that_have_every_page_once() {
        let files = site_map("https://example.org/", &paths(7), 3);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]);
        let index = &files[0].1;
        assert!(index.contains("<sitemapindex"), "{index}");
        for name in &names[1..] {
            assert!(index.contains(&format!("<loc>https://example.org/{name}</loc>")), "{index}");
        }
        let all: String = files[1..].iter().map(|(_, text)| text.as_str()).collect();
        for path in paths(7) {
            assert_eq!(all.matches(&format!("/{path}</loc>")).count(), 1, "{path}");
        }
        assert!(files[1..].iter().all(|(_, text)| text.matches("<url>").count() <= 3));
    }

    #[test]
    fn robots_are_addressed_only_at_the_root_of_a_host() {
        let robots_of = |url: &str| robots(url).unwrap_or_default();
        let text = robots_of("https://example.org/");
        assert!(text.contains("Sitemap: https://example.org/sitemap.xml"), "{text}");
        assert_eq!(robots("https://example.org/chess/"), None);
        assert_eq!(robots(""), None);
    }

    #[test]
    fn the_description_of_the_search_leads_to_the_page_of_results() {
        let text = open_search("https://example.org/a&b/");
        assert!(
            text.contains("template=\"https://example.org/a&amp;b/search.html?q={searchTerms}\""),
            "{text}"
        );
    }
}
