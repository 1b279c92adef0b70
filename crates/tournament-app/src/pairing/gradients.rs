//! Gradient methods for sparse systems of linear equations: conjugate gradients for symmetric
//! matrices, BiCGSTAB for the others.

/// A sparse system of linear equations `matrix(x) = right_side`.
pub struct LinearSystem<'a> {
    /// Multiplies the matrix by the first vector and writes the product into the second.
    pub matrix: &'a dyn Fn(&[f64], &mut [f64]),
    /// The diagonal of the matrix. It serves as the preconditioner.
    pub diagonal: &'a [f64],
    /// The right-hand side of the equations.
    pub right_side: &'a [f64],
}

/// Solves a symmetric system by the method of conjugate gradients, starting from zero.
///
/// The iteration ends when `is_enough` accepts the residual, or after `most` steps. The matrix must
/// be symmetric without negative eigenvalues. If it has zero eigenvalues, the right-hand side must
/// be orthogonal to their eigenvectors. Sums are computed in a fixed order, so equal inputs give
/// equal results.
pub fn conjugate_gradients(
    system: &LinearSystem,
    is_enough: &dyn Fn(&[f64]) -> bool,
    most: usize,
) -> Vec<f64> {
    let &LinearSystem { matrix, diagonal, right_side } = system;
    let count = right_side.len();
    let mut x = vec![0.0; count];
    let mut rest = right_side.to_vec();
    let inverse: Vec<f64> =
        diagonal.iter().map(|by| if *by > 0.0 { 1.0 / by } else { 0.0 }).collect();
    let mut towards: Vec<f64> =
        rest.iter().zip(&inverse).map(|(rest, inverse)| rest * inverse).collect();
    let mut size = dot(&rest, &towards);
    let mut image = vec![0.0; count];
    for _ in 0..most {
        if is_enough(&rest) || size <= 0.0 {
            break;
        }
        matrix(&towards, &mut image);
        let curvature = dot(&towards, &image);
        if curvature <= 0.0 {
            break;
        }
        let step = size / curvature;
        let mut next_size = 0.0;
        let along = towards.iter().zip(&image).zip(&inverse);
        for ((x, rest), ((towards, image), inverse)) in x.iter_mut().zip(&mut rest).zip(along) {
            *x += step * towards;
            *rest -= step * image;
            next_size += *rest * *rest * inverse;
        }
        let part = next_size / size;
        for ((towards, rest), inverse) in towards.iter_mut().zip(&rest).zip(&inverse) {
            *towards = rest * inverse + part * *towards;
        }
        size = next_size;
    }
    x
}

/// Solves a system by the stabilised biconjugate gradient method (BiCGSTAB), from `start`.
///
/// The iteration ends when the largest residual is at most `tolerance` times the largest number of
/// the right-hand side. Returns `None` if the method breaks down or needs more than `most` steps.
pub(super) fn stabilised_gradients(
    system: &LinearSystem,
    start: Vec<f64>,
    tolerance: f64,
    most: usize,
) -> Option<Vec<f64>> {
    let &LinearSystem { matrix, diagonal, right_side } = system;
    let count = right_side.len();
    let mut x = start;
    let mut image = vec![0.0; count];
    matrix(&x, &mut image);
    let mut rest: Vec<f64> =
        right_side.iter().zip(&image).map(|(wanted, image)| wanted - image).collect();
    let shadow = rest.clone();
    let (mut rho, mut alpha, mut omega) = (1.0, 1.0, 1.0);
    let mut towards = vec![0.0; count];
    let mut along = vec![0.0; count];
    let limit = tolerance * largest(right_side).max(f64::MIN_POSITIVE);
    for _ in 0..most {
        if largest(&rest) <= limit {
            return Some(x);
        }
        let next = dot(&shadow, &rest);
        let beta = next / rho * (alpha / omega);
        rho = next;
        for place in 0..count {
            towards[place] = rest[place] + beta * (towards[place] - omega * along[place]);
        }
        let scaled_towards = scaled(&towards, diagonal);
        matrix(&scaled_towards, &mut along);
        alpha = rho / dot(&shadow, &along);
        let half: Vec<f64> =
            rest.iter().zip(&along).map(|(rest, along)| rest - alpha * along).collect();
        let scaled_half = scaled(&half, diagonal);
        matrix(&scaled_half, &mut image);
        let size = dot(&image, &image);
        omega = if size > 0.0 { dot(&image, &half) / size } else { 0.0 };
        for place in 0..count {
            x[place] += alpha * scaled_towards[place] + omega * scaled_half[place];
            rest[place] = half[place] - omega * image[place];
        }
        if !(alpha.is_finite() && omega.is_finite() && rho != 0.0) {
            return None;
        }
        if omega == 0.0 {
            return (largest(&rest) <= limit).then_some(x);
        }
    }
    None
}

/// Divides each number by that of the diagonal, if it is positive.
fn scaled(vector: &[f64], diagonal: &[f64]) -> Vec<f64> {
    vector.iter().zip(diagonal).map(|(one, by)| if *by > 0.0 { one / by } else { *one }).collect()
}

/// The largest absolute value.
fn largest(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0_f64, |most, one| most.max(one.abs()))
}

/// The sum of the products.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_methods_solve_a_regular_system() {
        let diagonal = &[4.0, 3.0];
        let symmetric = LinearSystem {
            matrix: &|x, image| {
                image[0] = 4.0 * x[0] + x[1];
                image[1] = x[0] + 3.0 * x[1];
            },
            diagonal,
            right_side: &[1.0, 2.0],
        };
        let found = conjugate_gradients(&symmetric, &|rest| largest(rest) < 1e-12, 10);
        assert!((found[0] - 1.0 / 11.0).abs() < 1e-9 && (found[1] - 7.0 / 11.0).abs() < 1e-9);
        let skew = LinearSystem {
            matrix: &|x, image| {
                image[0] = 4.0 * x[0] + x[1];
                image[1] = -2.0 * x[0] + 3.0 * x[1];
            },
            diagonal,
            right_side: &[6.0, 4.0],
        };
        let found = stabilised_gradients(&skew, vec![0.0; 2], 1e-12, 20).unwrap();
        assert!((found[0] - 1.0).abs() < 1e-9 && (found[1] - 2.0).abs() < 1e-9, "{found:?}");
    }
}
