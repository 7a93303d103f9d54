import Imaging
import Testing

@Suite struct PixelSizeTests {
  @Test(arguments: [
    // picture, cap, result
    ("2048x3072", "1024x1536", "1024x1536"), ("3072x2048", "1024x1536", "1536x1024"),
    ("640x480", "1024x1536", "640x480"), ("4000x3000", "1024x1536", "1365x1024"),
    ("3000x4000", "1536x1024", "1024x1365"), ("5000x5000", "1024x1536", "1024x1024"),
    ("10000x3", "1024x1536", "1536x1"), ("1x10000", "100x100", "1x100"),
    ("1400x1100", "300x300", "300x236"),
  ])
  func `a picture fits under a cap that turns with it`(
    picture: String, cap: String, result: String
  ) throws {
    let picture = try #require(PixelSize(picture))
    let cap = try #require(PixelSize(cap))
    #expect(picture.fitted(under: cap).description == result)
  }

  @Test(arguments: ["", "x", "10x", "x10", "0x10", "10x0", "-1x5", "10x10x10", "10 x 10", "ax5"])
  func `a size of another form is refused`(text: String) {
    #expect(PixelSize(text) == nil)
  }
}

@Suite struct RGBColorTests {
  @Test(arguments: [
    ("magenta", "#ff00ff"), ("Fuchsia", "#ff00ff"), ("lime", "#00ff00"), ("green", "#008000"),
    ("rebeccapurple", "#663399"), ("#F0F", "#ff00ff"), ("#1a2B3c", "#1a2b3c"),
    ("0x00FF7f", "#00ff7f"), ("0XFF00FF", "#ff00ff"), ("lightgoldenrodyellow", "#fafad2"),
  ])
  func `a colour is read in each form`(text: String, canonical: String) {
    #expect(RGBColor(text)?.description == canonical)
  }

  @Test(arguments: [
    "", "#", "#12", "#1234", "#12345", "#1234567", "#ggg", "0xfff", "magenta1", "+f",
  ])
  func `a colour of another form is refused`(text: String) {
    #expect(RGBColor(text) == nil)
  }

  @Test func `every colour of 8 bits comes back from its description`() {
    for value in stride(from: UInt32(0), through: 0xff_ffff, by: 4099) {
      #expect(RGBColor(RGBColor(packed: value).description)?.packed == value)
    }
  }
}

@Suite struct YCbCrEncodingTests {
  static let all = YCbCrEncoding.Matrix.allCases.flatMap { matrix in
    YCbCrEncoding.Range.allCases.map { YCbCrEncoding(matrix: matrix, range: $0) }
  }

  @Test func `limited BT.601 has the coefficients of the standard`() {
    let c = YCbCrEncoding.bt601Limited.coefficients
    #expect(abs(c.lumaScale * 255 - 1.164) < 0.001)
    #expect(abs(c.crToRed * 255 - 1.596) < 0.001)
    #expect(abs(c.cbToGreen * 255 + 0.392) < 0.001)
    #expect(abs(c.crToGreen * 255 + 0.813) < 0.001)
    #expect(abs(c.cbToBlue * 255 - 2.017) < 0.001)
  }

  @Test(arguments: all)
  func `the codes of a colour stand for that colour`(encoding: YCbCrEncoding) throws {
    for name in ["black", "white", "magenta", "lime", "blue", "tomato", "teal"] {
      let color = try #require(RGBColor(name))
      let codes = encoding.codes(of: color)
      let back = encoding.rgb(luma: codes.x, cb: codes.y, cr: codes.z)
      for channel in 0..<3 { #expect(abs(back[channel] - color.channels[channel]) < 1e-4) }
    }
  }
}
