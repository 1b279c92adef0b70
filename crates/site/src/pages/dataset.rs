//! The tables of the archive for search engines: `Dataset` of schema.org.

use serde_json::{Value, json};

use super::Site;
use archive::DATASET_DESCRIPTION;

/// Describes all tables as one dataset. Croissant and Data Package list the single files.
pub(super) fn dataset(site: &Site) -> Value {
    let archive = site.archive;
    let files = [
        ("data/croissant.json", "application/ld+json"),
        ("data/datapackage.json", "application/json"),
    ]
    .map(|(path, format)| {
        json!({
            "@type": "DataDownload",
            "contentUrl": site.address("", path),
            "encodingFormat": format,
        })
    });
    let mut described = json!({
        "@type": "Dataset",
        "name": "The Greatness Archive",
        "description": DATASET_DESCRIPTION,
        "url": site.address("", "downloads.html"),
        "license": archive.settings.site.data_licence.address,
        "version": env!("CARGO_PKG_VERSION"),
        "isAccessibleForFree": true,
        "creator": { "@type": "Organization", "name": "The Greatness developers" },
        "distribution": files,
    });
    let first = archive.records.iter().filter_map(|record| record.event.start.earliest()).min();
    if let (Some(first), Some(last)) = (first, site.data_to) {
        described["temporalCoverage"] = json!(format!("{first}/{last}"));
    }
    described
}
