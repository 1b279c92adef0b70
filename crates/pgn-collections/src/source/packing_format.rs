//! The formats of inputs, recognised by their first bytes.

/// Position of `ustar` in a tar header (POSIX.1-1988).
const USTAR_OFFSET: usize = 257;

/// The format of an input, recognised by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackingFormat {
    Gzip,
    Bzip2,
    Zstd,
    Xz,
    Lzip,
    Tar,
    Zip,
    SevenZip,
    /// A format that is not supported, with advice.
    Foreign(&'static str),
    Plain,
}

impl PackingFormat {
    /// Number of bytes by which a format is recognised.
    pub const HEAD: usize = USTAR_OFFSET + 5;

    /// Recognises a format by its magic number.
    ///
    /// Source: RFC 1952 (gzip), RFC 8878 (zstd), APPNOTE 4.3.7 (zip), 7zFormat.txt, the XZ file
    /// format (2.1.1.1), the manuals of lzip and of the LZ4 frame. In bzip2 the block header
    /// follows the level.
    pub fn detect(head: &[u8]) -> PackingFormat {
        if head.starts_with(&[0x1f, 0x8b]) {
            PackingFormat::Gzip
        } else if head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY") {
            PackingFormat::Bzip2
        } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            PackingFormat::Zstd
        } else if head.starts_with(b"\xfd7zXZ\0") {
            PackingFormat::Xz
        } else if head.starts_with(b"LZIP\x01") {
            PackingFormat::Lzip
        } else if head.starts_with(b"Rar!\x1a\x07") {
            PackingFormat::Foreign(
                "rar archives cannot be read; unpack it, or pack it as zip or 7z",
            )
        } else if head.starts_with(&[0x04, 0x22, 0x4d, 0x18]) {
            PackingFormat::Foreign("lz4 files cannot be read; unpack it, or pack it with zstd")
        } else if head.starts_with(&[0x1f, 0x9d]) {
            PackingFormat::Foreign(
                "files of compress (.Z) cannot be read; unpack it, or pack it with gzip",
            )
        } else if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            PackingFormat::Zip
        } else if head.starts_with(b"7z\xbc\xaf\x27\x1c") {
            PackingFormat::SevenZip
        } else if head.get(USTAR_OFFSET..USTAR_OFFSET + 5) == Some(b"ustar") {
            PackingFormat::Tar
        } else {
            PackingFormat::Plain
        }
    }
}
