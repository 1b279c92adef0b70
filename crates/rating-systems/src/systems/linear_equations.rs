//! Solves small systems of linear equations.

/// Solves a system of linear equations by Gaussian elimination with pivoting. The last column is
/// the right-hand side.
pub(crate) fn solve_linear(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .unwrap_or(column);
        rows.swap(column, pivot);
        if rows[column][column] == 0.0 {
            continue;
        }
        let row = rows[column].clone();
        for (_, line) in rows.iter_mut().enumerate().filter(|(other, _)| *other != column) {
            let factor = line[column] / row[column];
            for (value, of_row) in line.iter_mut().zip(&row) {
                *value -= factor * of_row;
            }
        }
    }
    (0..count)
        .map(|place| match rows[place][place] {
            0.0 => 0.0,
            pivot => rows[place][count] / pivot,
        })
        .collect()
}
