//! Unpacks the members of a packed file, one after the other.

use std::io::{self, BufRead, BufReader, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;

/// Largest zstd window that is supported (binary logarithm): 2 GiB, as `zstd --long=31` writes.
const WINDOW_LOG_MAX: u32 = 31;

/// Unpacks one member of a packed file.
pub(super) trait MemberDecoder: Read + Sized {
    /// The packed bytes.
    type Packed: BufRead;

    fn begin(packed: Self::Packed) -> io::Result<Self>;

    /// Returns the bytes after the member.
    fn end(self) -> Self::Packed;
}

impl<R: BufRead> MemberDecoder for GzDecoder<R> {
    type Packed = R;

    fn begin(packed: R) -> io::Result<Self> {
        Ok(GzDecoder::new(packed))
    }

    fn end(self) -> R {
        self.into_inner()
    }
}

impl<R: BufRead> MemberDecoder for BzDecoder<R> {
    type Packed = R;

    fn begin(packed: R) -> io::Result<Self> {
        Ok(BzDecoder::new(packed))
    }

    fn end(self) -> R {
        self.into_inner()
    }
}

impl<R: BufRead> MemberDecoder for zstd::Decoder<'_, R> {
    type Packed = R;

    fn begin(packed: R) -> io::Result<Self> {
        let mut decoder = zstd::Decoder::with_buffer(packed)?.single_frame();
        decoder.window_log_max(WINDOW_LOG_MAX)?;
        Ok(decoder)
    }

    fn end(self) -> R {
        self.finish()
    }
}

/// The members of a packed file as one stream.
///
/// Zeros between members and after the last one are padding to the size of a block, as tapes and
/// disks have it. gzip skips it too. Anything else after a member is an error.
pub(super) struct PackedMembers<D> {
    /// The member that is unpacked; `None` after the last.
    member: Option<D>,
}

impl<R: Read, D: MemberDecoder<Packed = BufReader<R>>> PackedMembers<D> {
    pub fn new(packed: R) -> io::Result<PackedMembers<D>> {
        Ok(PackedMembers { member: Some(D::begin(BufReader::new(packed))?) })
    }
}

impl<D: MemberDecoder> Read for PackedMembers<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let rest = self.member.take().map(D::end);
            self.member = rest.map(next_member).transpose()?.flatten();
        }
        Ok(0)
    }
}

/// Returns the member after some padding, or `None` if there is no other.
fn next_member<D: MemberDecoder>(mut packed: D::Packed) -> io::Result<Option<D>> {
    loop {
        let bytes = packed.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if zeros == 0 {
            let is_end = bytes.is_empty();
            return if is_end { Ok(None) } else { D::begin(packed).map(Some) };
        }
        packed.consume(zeros);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    type Gzip<'b> = GzDecoder<BufReader<&'b [u8]>>;
    type Bzip2<'b> = BzDecoder<BufReader<&'b [u8]>>;
    type Zstd<'b> = zstd::Decoder<'static, BufReader<&'b [u8]>>;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn packed_by_bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked_by<'b, D: MemberDecoder<Packed = BufReader<&'b [u8]>>>(
        bytes: &'b [u8],
    ) -> (String, bool) {
        let mut text = Vec::new();
        let outcome = PackedMembers::<D>::new(bytes).unwrap().read_to_end(&mut text);
        (String::from_utf8(text).unwrap(), outcome.is_ok())
    }

    fn unpacked(bytes: &[u8]) -> (String, bool) {
        unpacked_by::<Gzip<'_>>(bytes)
    }

    #[test]
    fn padding_after_members_of_bzip2_and_zstd_is_skipped_too() {
        let whole = ("one two".to_owned(), true);
        let padding = vec![0; 511];
        let [one, two] = [&b"one "[..], b"two"].map(packed_by_bzip2);
        let bytes = [one, padding.clone(), two, padding.clone()].concat();
        assert_eq!(unpacked_by::<Bzip2<'_>>(&bytes), whole);
        let [one, two] = [&b"one "[..], b"two"].map(|text| zstd::encode_all(text, 3).unwrap());
        let bytes = [one, padding.clone(), two.clone(), padding].concat();
        assert_eq!(unpacked_by::<Zstd<'_>>(&bytes), whole);
        let bytes = [two, b"no zstd".to_vec()].concat();
        assert_eq!(unpacked_by::<Zstd<'_>>(&bytes), ("two".to_owned(), false));
    }

    #[test]
    fn zeros_after_a_member_are_padding() {
        for zeros in [0, 1, 511, 100_000] {
            let padding = vec![0; zeros];
            let bytes = [packed(b"one "), padding.clone(), packed(b"two"), padding].concat();
            assert_eq!(unpacked(&bytes), ("one two".to_owned(), true), "{zeros}");
        }
    }

    #[test]
    fn other_bytes_after_a_member_are_an_error() {
        for rest in [&b"no gzip"[..], b"\0\0no gzip", b"\x1f"] {
            let bytes = [packed(b"one"), rest.to_vec()].concat();
            assert_eq!(unpacked(&bytes), ("one".to_owned(), false), "{rest:?}");
        }
    }

    #[test]
    fn a_member_that_is_cut_off_is_an_error() {
        let bytes = packed(b"one and more");
        assert!(!unpacked(&bytes[..bytes.len() - 9]).1);
    }
}
