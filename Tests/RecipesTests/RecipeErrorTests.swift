import Testing

@testable import Recipes

@Suite struct RecipeErrorTests {
  @Test func `an unknown field is told with its place and the nearest name`() {
    let json = """
      {
        "key": {
          "color": "magenta",
          "treshold": 0.15
        }
      }
      """
    #expect(
      report(on: json)
        == "r.json:4:5: key.treshold: unknown field; did you mean \"threshold\"?")
  }

  @Test(arguments: [
    Fault("{\"kye\": {}}", "r.json:1:2: kye: unknown field; did you mean \"key\"?"),
    Fault(
      "{\"audio\": {\"Formats\": []}}",
      "r.json:1:12: audio.Formats: unknown field; did you mean \"formats\"?"),
    Fault(
      "{\"audio\": {\"xyz\": 1}}",
      "r.json:1:12: audio.xyz: unknown field"),
    Fault(
      "{\"audio\": {\"loudnes\": 1}}",
      "r.json:1:12: audio.loudnes: unknown field; did you mean \"loudness\"?"),
    Fault("[]", "r.json:1:1: expected an object in braces {}, not a list"),
    Fault(
      "{}",
      "r.json:1:1: a recipe needs at least one of the sections \"key\", \"audio\" and \"stills\""),
    Fault(
      "{\"key\": null}",
      "r.json:1:1: a recipe needs at least one of the sections \"key\", \"audio\" and \"stills\""),
    Fault("{\"audio\": true}", "r.json:1:11: audio: expected an object in braces {}, not true"),
    Fault(
      "{\"audio\": {}, \"damaged\": \"fial\"}",
      "r.json:1:26: damaged: \"fial\" is not known here; did you mean \"fail\"?"),
  ])
  func `a fault of the whole is told`(fault: Fault) {
    #expect(report(on: fault.json) == fault.report)
  }

  @Test(arguments: [
    Fault("\"threshold\": 1.5", "threshold: 1.5 is out of range; it goes from 0 to 1"),
    Fault("\"threshold\": \"0.5\"", "threshold: expected a number, not the text \"0.5\""),
    Fault("\"smoothing\": -0.1", "smoothing: -0.1 is out of range; it goes from 0 to 1"),
    Fault("\"despill\": 2", "despill: 2 is out of range; it goes from 0 to 1"),
    Fault("\"choke\": 101", "choke: 101 is out of range; it goes from -100 to 100"),
    Fault("\"feather\": -1", "feather: -1 is out of range; it goes from 0 to 100"),
    Fault(
      "\"clipBlack\": 0.5, \"clipWhite\": 0.5", "clipWhite: clipWhite has to be above clipBlack"),
    Fault("\"clipBlack\": 1", "clipBlack: clipWhite has to be above clipBlack"),
    Fault(
      "\"garbage\": {}", "garbage: a shape has one of the fields rectangle, polygon and picture"),
    Fault(
      "\"garbage\": [{\"circle\": 3}]",
      "garbage[0].circle: unknown field; there are \"rectangle\", \"polygon\" and \"picture\""),
    Fault(
      "\"garbage\": {\"rectangle\": [1, 2, 3]}",
      "garbage.rectangle: a rectangle is [x, y, width, height]"),
    Fault(
      "\"holdOut\": {\"rectangle\": [1, 2, 0, 3]}",
      "holdOut.rectangle[2]: a rectangle has a width and a height above 0"),
    Fault(
      "\"holdOut\": {\"polygon\": [[0, 0], [\"half\", 2], [3, 3]]}",
      "holdOut.polygon[1][0]: \"half\" is no place; give pixels, or percent such as \"25%\""),
    Fault(
      "\"holdOut\": {\"rectangle\": [\"--5%\", 2, 3, 3]}",
      "holdOut.rectangle[0]: \"--5%\" is no place; give pixels, or percent such as \"25%\""),
    Fault(
      "\"holdOut\": {\"rectangle\": [1, 2, \"-5%\", 3]}",
      "holdOut.rectangle[2]: a rectangle has a width and a height above 0"),
    Fault(
      "\"holdOut\": {\"polygon\": [[0, 0], [1, 2]]}",
      "holdOut.polygon: a polygon has three corners or more"),
    Fault("\"garbage\": {\"picture\": \"\"}", "garbage.picture: the path is empty"),
    Fault(
      "\"mode\": \"gpuimage\", \"plate\": \"p.png\"",
      "plate: mode \"gpuimage\" takes no plate; it keys one colour everywhere"),
    Fault(
      "\"mode\": \"gpuimage\", \"surface\": \"opaque\"",
      "surface: mode \"gpuimage\" does not judge surfaces; take mode \"clean\""),
    Fault(
      "\"alpha\": \"premultipled\"",
      "alpha: \"premultipled\" is not known here; did you mean \"premultiplied\"?"),
    Fault("\"unmix\": 1", "unmix: expected true or false, not the number 1"),
    Fault("\"unmix\": null", "unmix: expected true or false, not null"),
    Fault("\"mode\": \"claen\"", "mode: \"claen\" is not known here; did you mean \"clean\"?"),
    Fault(
      "\"color\": \"magneta\"",
      "color: \"magneta\" is not a colour; give a CSS name, \"#rrggbb\" or \"auto\""),
    Fault("\"color\": []", "color: the list is empty; name a colour or \"auto\""),
    Fault(
      "\"color\": [\"red\", \"auto\"]", "color[1]: \"auto\" does not go with other colours"),
    Fault(
      "\"color\": 5",
      "color: expected a colour such as \"magenta\" or \"#ff00ff\", not the number 5"),
    Fault("\"fps\": 0", "fps: 0 is out of range; it goes from 0.01 to 1000"),
    Fault("\"size\": \"640\"", "size: \"640\" is not a size such as \"1024x1536\""),
    Fault(
      "\"size\": \"640x0\"", "size: \"640x0\" is out of range; each side has from 1 to 65535 pixels"
    ),
    Fault(
      "\"size\": \"65535x1\"",
      "size: 65535x1 cannot be made; no side can be over 16384 times the other"),
    Fault("\"size\": \"6001x6000\"", "size: 6001x6000 is over the limit of 36 megapixels a frame"),
    Fault("\"from\": 2, \"to\": \"00:01\"", "to: 1 s is not after \"from\", which is 2 s"),
    Fault("\"to\": 0", "to: 0 s is not after \"from\", which is 0 s"),
    Fault("\"from\": -1", "from: -1 is out of range; it goes from 0 to 3600000"),
    Fault(
      "\"from\": \"10%\"", "from: \"10%\" is not a timecode such as \"00:01:30.5\" or \"1:30\""),
    Fault("\"formats\": []", "formats: the list is empty; it takes \"png\" or \"mask\""),
    Fault(
      "\"formats\": [\"png\", \"webm\"]",
      "formats[1]: this version does not make \"webm\" yet, only \"png\" and \"mask\""),
    Fault(
      "\"formats\": [\"wemb\"]", "formats[0]: \"wemb\" is not known here; did you mean \"webm\"?"),
  ])
  func `a fault of a key section is told`(fault: Fault) {
    let shown = report(on: "{\"key\": {\(fault.json)}}")
    #expect(shown.hasSuffix(": key.\(fault.report)"), "\(shown)")
  }

  @Test(arguments: [
    Fault("\"cap\": 0", "cap: expected a size such as \"1024x1536\", not the number 0"),
    Fault(
      "\"cap\": \"0x0\"", "cap: \"0x0\" is out of range; each side has from 1 to 65535 pixels"),
    Fault("\"at\": []", "at: the list is empty; name a moment"),
    Fault(
      "\"at\": [\"101%\"]", "at[0]: \"101%\" is out of range; it goes from \"0%\" to \"100%\""),
    Fault(
      "\"at\": [\"-5%\"]", "at[0]: \"-5%\" is out of range; it goes from \"0%\" to \"100%\""),
    Fault(
      "\"at\": [\"every 0s\"]", "at[0]: \"every 0s\" is too often; a millisecond is the least"),
    Fault(
      "\"at\": [\"every now\"]",
      "at[0]: \"now\" is not a length of time such as \"5s\" or \"1m30s\""),
    Fault(
      "\"at\": [\"5\"]",
      "at[0]: \"5\" is not a moment; give seconds, \"10%\", \"00:01:30.5\" or \"every 5s\""),
    Fault(
      "\"at\": [1, \"scenes\"]",
      "at[1]: this version does not find \"scenes\" yet; "
        + "give seconds, \"10%\", \"00:01:30.5\" or \"every 5s\""),
    Fault(
      "\"at\": \"best\"",
      "at: this version does not find \"best\" yet; "
        + "give seconds, \"10%\", \"00:01:30.5\" or \"every 5s\""),
    Fault("\"look\": \"xyzzy\"", "look: no look named \"xyzzy\""),
    Fault("\"quality\": 101", "quality: 101 is out of range; it goes from 1 to 100"),
    Fault("\"quality\": 90.5", "quality: expected a whole number, not the number 90.5"),
    Fault(
      "\"formats\": [\"jpg\"]", "formats[0]: \"jpg\" is not known here; did you mean \"jpeg\"?"),
  ])
  func `a fault of a stills section is told`(fault: Fault) {
    let shown = report(on: "{\"stills\": {\(fault.json)}}")
    #expect(shown.hasSuffix(": stills.\(fault.report)"), "\(shown)")
  }

  @Test(arguments: [
    Fault(
      "\"sepia\"", "1:25: stills.filters[0]: write a filter as an object: {\"sepia\": {}}"),
    Fault(
      "{\"sepia\": {}, \"gamma\": {}}",
      "1:25: stills.filters[0]: a filter is an object with its name as the only field"),
    Fault("{}", "1:25: stills.filters[0]: a filter is an object with its name as the only field"),
    Fault("{\"sepai\": {}}", "1:26: stills.filters[0].sepai: "),
    Fault("{\"sepia\": {\"intensty\": 1}}", "1:36: stills.filters[0].sepia.intensty: "),
    Fault("{\"sepai\": {\"pictures\": [\"a.png\"]}}", "1:26: stills.filters[0].sepai: "),
    Fault("{\"sepia\": {\"pictures\": [\"a.png\"]}}", "1:36: stills.filters[0].sepia.pictures: "),
    Fault("{\"sepia\": {\"intensity\": 7}}", "1:49: stills.filters[0].sepia.intensity: "),
    Fault("{\"sepia\": {\"intensity\": [1]}}", "1:49: stills.filters[0].sepia.intensity: "),
    Fault(
      "{\"sepia\": {\"intensity\": \"1\"}}",
      "1:49: stills.filters[0].sepia.intensity: must be a number, not \"1\""),
    Fault(
      "{\"blend-multiply\": {}}",
      "1:44: stills.filters[0].blend-multiply: needs 1 picture in \"pictures\""),
    Fault(
      "{\"histogram-equalization\": {\"type\": \"grey\"}}",
      "1:61: stills.filters[0].histogram-equalization.type: must be one of rgb, luminance"),
    Fault(
      "{\"posterize\": {\"colorLevels\": 2.5}}",
      "1:55: stills.filters[0].posterize.colorLevels: must be a whole number, not 2.5"),
    Fault(
      "{\"sepia\": 1}",
      "1:35: stills.filters[0].sepia: expected an object in braces {}, not the number 1"),
  ])
  func `a fault of a filter is told at its name or value`(fault: Fault) {
    let shown = report(on: "{\"stills\": {\"filters\": [\(fault.json)]}}")
    #expect(shown.hasPrefix("r.json:\(fault.report)"), "\(shown)")
  }

  @Test(arguments: [
    Fault("\"formats\": \"flak\"", "formats: \"flak\" is not known here; did you mean \"flac\"?"),
    Fault("\"track\": 0", "track: tracks count from 1"),
    Fault("\"track\": 1.5", "track: expected a whole number, not the number 1.5"),
    Fault("\"track\": 1001", "track: 1001 is out of range; it goes from 1 to 1000"),
    Fault("\"track\": \"defualt\"", "track: \"defualt\" is no track; did you mean \"default\"?"),
    Fault(
      "\"track\": \"english\"",
      "track: \"english\" is no track; give \"default\", \"all\", a number from 1, "
        + "or a language such as \"eng\""),
    Fault("\"from\": 2, \"to\": 1", "to: 1 s is not after \"from\", which is 2 s"),
    Fault(
      "\"trimSilence\": \"yes\"",
      "trimSilence: expected true, false or a level in dB such as -60, not the text \"yes\""),
    Fault("\"trimSilence\": 5", "trimSilence: 5 is out of range; it goes from -120 to -10"),
    Fault("\"rate\": 44.1", "rate: 44.1 is out of range; it goes from 8000 to 192000"),
    Fault("\"channels\": 9", "channels: 9 is out of range; it goes from 1 to 8"),
    Fault("\"bits\": 32", "bits: 32 is not possible here; give 16 or 24"),
    Fault("\"bits\": \"16\"", "bits: expected 16 or 24, not the text \"16\""),
    Fault("\"bitrate\": 192", "bitrate: 192 is out of range; it goes from 8000 to 512000"),
    Fault(
      "\"bitrate\": \"999k\"",
      "bitrate: \"999k\" is out of range; it goes from \"8k\" to \"512k\""),
    Fault(
      "\"bitrate\": \"high\"", "bitrate: \"high\" is no bit rate such as 192000 or \"192k\""),
    Fault(
      "\"bitrate\": true",
      "bitrate: expected bits a second such as 192000 or \"192k\", not true"),
    Fault("\"quality\": 0", "quality: 0 is out of range; it goes from 1 to 100"),
    Fault(
      "\"bitrate\": \"64k\", \"quality\": 5",
      "quality: give \"bitrate\" or \"quality\", not both"),
    Fault("\"loudness\": 16", "loudness: 16 is out of range; it goes from -70 to -5"),
    Fault("\"truePeak\": 1", "truePeak: 1 is out of range; it goes from -20 to 0"),
    Fault(
      "\"peaksPerSecond\": []",
      "peaksPerSecond: the list is empty; give points a second, such as 20"),
    Fault(
      "\"peaksPerSecond\": [20, 0]",
      "peaksPerSecond[1]: 0 is out of range; it goes from 1 to 1000"),
    Fault("\"peaksBits\": 12", "peaksBits: 12 is not possible here; give 8 or 16"),
    Fault("\"report\": 1", "report: expected true or false, not the number 1"),
  ])
  func `a fault of an audio section is told`(fault: Fault) {
    let shown = report(on: "{\"audio\": {\(fault.json)}}")
    #expect(shown.hasSuffix(": audio.\(fault.report)"), "\(shown)")
  }

  @Test(arguments: ["apng", "webp", "webm", "mov", "qtrle", "gif", "stacked", "atlas"])
  func `a frame format to come is refused as one`(name: String) {
    #expect(
      report(on: "{\"key\": {\"formats\": \"\(name)\"}}").hasSuffix(
        "key.formats: this version does not make \"\(name)\" yet, only \"png\" and \"mask\""))
  }
}
