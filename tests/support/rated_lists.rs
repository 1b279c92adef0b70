//! Reads the lists that `greatness ratings` prints.

/// Lines of a list: rank, player, rating, provisional.
pub fn list(csv: &str, day: &str) -> Vec<(usize, String, f64, bool)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.filter(|row| &row[0] == day)
        .map(|row| {
            let (rank, rating) = (row[1].parse().unwrap(), row[3].parse().unwrap());
            (rank, row[2].to_owned(), rating, &row[5] == "true")
        })
        .collect()
}
