//! Values with names, for a template.

/// A view of named values, as `format!` takes named arguments: `view!(year, games = games.len())`.
/// `view!(..axes, bars)` has the values of `axes` as well.
///
/// A view needs no type of its own, because only a template reads it, by the names of its values.
macro_rules! view {
    (..$base:expr, $($name:ident $(= $value:expr)?),* $(,)?) => {{
        #[derive(serde::Serialize)]
        struct Extended<Base, Values> {
            #[serde(flatten)]
            values: Values,
            #[serde(flatten)]
            base: Base,
        }
        Extended { values: view!($($name $(= $value)?),*), base: $base }
    }};
    ($($name:ident $(= $value:expr)?),* $(,)?) => {{
        // The type parameters have the names of the values.
        #[allow(non_camel_case_types)]
        let view = {
            #[derive(serde::Serialize)]
            struct View<$($name),*> {
                $($name: $name),*
            }
            View { $($name $(: $value)?),* }
        };
        view
    }};
}
