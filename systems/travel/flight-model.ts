/**
 * Ticks and fuel of flights, and drifting. A ship with a pathfinder drive can leave the lanes on a
 * bearing and fly straight until it comes near a system, which is found when the bearing is
 * plotted. Source: travel.md sections 3, 4.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { clamp, divCeil, isqrt, toSafe } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Tow } from '../salvage/state.ts'
import { hasSpecial } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { isDrifting, shipOf } from './location-model.ts'
import { DRIFTS, type Drift, Location, StarSystem } from './state.ts'

/* The arithmetic of flight: pure integer functions. Source: travel.md sections 3, 4. */

/** Figures that the cost of a flight depends on. */
export interface Flight {
  /** AU a tick, 1-8. */
  readonly speed: number
  /** 1-5. */
  readonly scale: number
  /** Sum of the modules' fuel efficiency, %; positive saves. */
  readonly fuelEfficiencyPct: number
  /** Skill level. */
  readonly navigation: number
  /** Loss of speed by something in tow, %; it costs no fuel. */
  readonly towPct: number
}

/** scale^1.5 in millionths. */
const SCALE_MILLIONTHS = [1_000_000, 2_828_427, 5_196_152, 8_000_000, 11_180_340] as const
const SPEED_MILLI_AU_MIN = 250
const JUMP_TICKS_BASE = 7

export function flightOf(view: WorldView, ship: Eid): Flight {
  const { speed, scale, fuelEfficiencyPct, owner } = view.read(Ship)
  return {
    speed: speed[ship],
    scale: scale[ship],
    fuelEfficiencyPct: fuelEfficiencyPct[ship],
    navigation: owner[ship] === 0 ? 0 : levelOf(view, owner[ship], 'navigation'),
    towPct: view.read(Tow).pct[ship],
  }
}

/** Returns the fuel with these modules, in percent of the usual. */
const moduleFuelPct = (flight: Flight): number =>
  Math.min(300, 100 - Math.min(80, flight.fuelEfficiencyPct))

/** Returns the time and fuel at this level of navigation, in percent of the usual. */
const navigationPct = (flight: Flight): number => 100 - Math.min(50, flight.navigation)

/** Returns ceil(product / divisor), at least 1. */
function ceilOf(factors: readonly number[], divisor: bigint): number {
  let product = 1n
  for (const factor of factors) {
    assert(factor >= 0, 'a factor of fuel is negative')
    product *= BigInt(factor)
  }
  return Math.max(1, toSafe((product + divisor - 1n) / divisor))
}

/** Returns the milli-AU between two points in milli-AU, rounded down. */
export function distanceMilliAu(x1: number, y1: number, x2: number, y2: number): number {
  const dx = x1 - x2
  const dy = y1 - y2
  return isqrt(dx * dx + dy * dy)
}

/** Returns the ticks of a flight over a distance in milli-AU, at least 1. */
export function travelTicks(flight: Flight, distance: number): number {
  const speed = Math.trunc((flight.speed * 1000 * (100 - flight.towPct)) / 100)
  const milliAuPerTick = Math.max(SPEED_MILLI_AU_MIN, speed)
  return Math.max(1, divCeil(distance, milliAuPerTick))
}

/** Returns the fuel of a flight over a distance in milli-AU, at least 1. */
export function fuelToTravel(flight: Flight, distance: number): number {
  const scale = SCALE_MILLIONTHS[clamp(flight.scale, 1, 5) - 1]
  const factors = [scale, flight.speed, distance, 7, moduleFuelPct(flight), navigationPct(flight)]
  return ceilOf(factors, 1_000_000_000_000_000n)
}

/** Returns the speed with what is in tow, AU a tick, at least 1. Source: salvage.md section 4. */
const towingSpeed = (flight: Flight): number =>
  Math.max(1, Math.trunc((flight.speed * (100 - flight.towPct)) / 100))

/** Returns the ticks of a jump, at least 1. */
export function jumpTicks(flight: Flight): number {
  const ticks = Math.max(1, JUMP_TICKS_BASE - towingSpeed(flight))
  return Math.max(1, divCeil(ticks * navigationPct(flight), 100))
}

/** Returns the fuel of a jump, at least 1; navigation counts twice. */
export function fuelPerJump(flight: Flight): number {
  const scale = SCALE_MILLIONTHS[clamp(flight.scale, 1, 5) - 1]
  const navigation = navigationPct(flight)
  const factors = [scale, flight.speed, moduleFuelPct(flight), navigation, navigation]
  return ceilOf(factors, 1_000_000_000_000n)
}

/* Drifting. Source: travel.md section 4. */

const MILLI = 1_000
/** GU a tick for each AU a tick of the hull. */
const GU_PER_SPEED = 5
/** A system this near the line ends the drift, GU. */
const REACH_GU = 25
/** Limit of a drift, ticks: without a system in its way the ship falls back to its origin. */
const DRIFT_TICKS_MAX = 4_320
/** Fuel of a plot, in jumps. */
const PLOT_JUMPS = 5

const driftOf = (view: WorldView, ship: Eid): Readonly<Drift> => {
  const drift = view.records(DRIFTS).get(String(view.read(Ship).seq[ship]))
  assert(drift, `ship ${ship} has no drift`)
  return drift
}

/** Returns where a drifting ship is, milli-GU, and its bearing in tenths of a degree. */
export function driftPosition(
  view: WorldView,
  ship: Eid,
): { x: number; y: number; bearing: number } {
  const { x, y, wayX, wayY, bearing } = driftOf(view, ship)
  const elapsed = view.tick - view.read(Location).departTick[ship]
  return { x: x + wayX * elapsed, y: y + wayY * elapsed, bearing }
}

interface Ray {
  /** Where it begins, milli-GU. */
  readonly x: number
  readonly y: number
  readonly bearing: number
  /** The system that a first plot leaves: skipped within REACH_GU; 0 none. */
  readonly origin: Eid
}

/** Finds the nearest system along a ray, and the distance to it in milli-GU times UNIT. */
export function castRay(view: WorldView, ray: Ray): { system: Eid; way: number } | undefined {
  const { alive, x, y } = view.read(StarSystem)
  const direction = directionOf(ray.bearing)
  const reach = REACH_GU * MILLI * UNIT
  let nearest: { system: Eid; way: number } | undefined
  for (let system = 1; system <= view.highOf(StarSystem); system++) {
    if (alive[system] === 0) continue
    const dx = x[system] * MILLI - ray.x
    const dy = y[system] * MILLI - ray.y
    const way = dx * direction.x + dy * direction.y
    if (way <= 0 || Math.abs(dx * direction.y - dy * direction.x) > reach) continue
    if (system === ray.origin && way < reach) continue
    // Rows ascend by number, so the lower one wins a tie.
    if (!nearest || way < nearest.way) nearest = { system, way }
  }
  return nearest
}

export interface Plot {
  readonly fuel: number
  readonly ticks: number
  /** The system in whose entry place the ship drops out. */
  readonly system: Eid
  readonly drift: Drift
}

/** Parses degrees; returns tenths of a degree, 0 … 3,599. */
function parseBearing(text: string): number | undefined {
  const degrees = Number(text)
  if (!Number.isFinite(degrees)) return undefined
  const tenths = Math.round((degrees % 360) * 10) % BEARINGS
  // Adding 0 turns -0 into 0.
  return tenths < 0 ? tenths + BEARINGS : tenths + 0
}

/** Plots a drift on a bearing. Refusals: no_pathfinder_drive, invalid_bearing. */
export function plotDrift(
  view: WorldView,
  player: Eid,
  text: string,
): Plot | Failure<'invalid_bearing' | 'no_pathfinder_drive'> {
  const ship = shipOf(view, player)
  if (!hasSpecial(view, ship, 'pathfinder_drive')) return fail('no_pathfinder_drive')
  const bearing = parseBearing(text)
  if (bearing === undefined) return fail('invalid_bearing')
  const from = view.read(Location).system[ship]
  const isReplot = isDrifting(view, ship)
  const { x, y } = view.read(StarSystem)
  const start = isReplot ? driftPosition(view, ship) : { x: x[from] * MILLI, y: y[from] * MILLI }
  const flight = flightOf(view, ship)
  const speed = towingSpeed(flight) * GU_PER_SPEED * MILLI
  const hit = castRay(view, { x: start.x, y: start.y, bearing, origin: isReplot ? 0 : from })
  const ticks = hit ? Math.max(1, divCeil(hit.way, speed * UNIT)) : DRIFT_TICKS_MAX
  const isInReach = hit !== undefined && ticks <= DRIFT_TICKS_MAX
  const direction = directionOf(bearing)
  return {
    fuel: PLOT_JUMPS * fuelPerJump(flight),
    ticks: isInReach ? ticks : DRIFT_TICKS_MAX,
    system: isInReach ? hit.system : from,
    drift: {
      x: start.x,
      y: start.y,
      wayX: Math.trunc((direction.x * speed) / UNIT) + 0,
      wayY: Math.trunc((direction.y * speed) / UNIT) + 0,
      bearing,
    },
  }
}

/*
 * Directions by tenths of a degree: 0 along +X, counter-clockwise. Sine and cosine in millionths
 * come from a table, because a float function may differ between machines.
 */

/** Number of bearings: 360 degrees in tenths. */
export const BEARINGS = 3_600
const QUARTER = BEARINGS / 4
/** One, in millionths. */
export const UNIT = 1_000_000

/** Sines of 0 … 90 degrees in tenths. */
// biome-ignore format: a table
const SINES = [
  0, 1_745, 3_491, 5_236, 6_981, 8_727, 10_472, 12_217, 13_962, 15_707, 17_452, 19_197, 20_942,
  22_687, 24_432, 26_177, 27_922, 29_666, 31_411, 33_155, 34_899, 36_644, 38_388, 40_132, 41_876,
  43_619, 45_363, 47_106, 48_850, 50_593, 52_336, 54_079, 55_822, 57_564, 59_306, 61_049, 62_791,
  64_532, 66_274, 68_015, 69_756, 71_497, 73_238, 74_979, 76_719, 78_459, 80_199, 81_939, 83_678,
  85_417, 87_156, 88_894, 90_633, 92_371, 94_108, 95_846, 97_583, 99_320, 101_056, 102_793,
  104_528, 106_264, 107_999, 109_734, 111_469, 113_203, 114_937, 116_671, 118_404, 120_137,
  121_869, 123_601, 125_333, 127_065, 128_796, 130_526, 132_256, 133_986, 135_716, 137_445,
  139_173, 140_901, 142_629, 144_356, 146_083, 147_809, 149_535, 151_261, 152_986, 154_710,
  156_434, 158_158, 159_881, 161_604, 163_326, 165_048, 166_769, 168_489, 170_209, 171_929,
  173_648, 175_367, 177_085, 178_802, 180_519, 182_236, 183_951, 185_667, 187_381, 189_095,
  190_809, 192_522, 194_234, 195_946, 197_657, 199_368, 201_078, 202_787, 204_496, 206_204,
  207_912, 209_619, 211_325, 213_030, 214_735, 216_440, 218_143, 219_846, 221_548, 223_250,
  224_951, 226_651, 228_351, 230_050, 231_748, 233_445, 235_142, 236_838, 238_533, 240_228,
  241_922, 243_615, 245_307, 246_999, 248_690, 250_380, 252_069, 253_758, 255_446, 257_133,
  258_819, 260_505, 262_189, 263_873, 265_556, 267_238, 268_920, 270_600, 272_280, 273_959,
  275_637, 277_315, 278_991, 280_667, 282_341, 284_015, 285_688, 287_361, 289_032, 290_702,
  292_372, 294_040, 295_708, 297_375, 299_041, 300_706, 302_370, 304_033, 305_695, 307_357,
  309_017, 310_676, 312_335, 313_992, 315_649, 317_305, 318_959, 320_613, 322_266, 323_917,
  325_568, 327_218, 328_867, 330_514, 332_161, 333_807, 335_452, 337_095, 338_738, 340_380,
  342_020, 343_660, 345_298, 346_936, 348_572, 350_207, 351_842, 353_475, 355_107, 356_738,
  358_368, 359_997, 361_625, 363_251, 364_877, 366_501, 368_125, 369_747, 371_368, 372_988,
  374_607, 376_224, 377_841, 379_456, 381_070, 382_683, 384_295, 385_906, 387_516, 389_124,
  390_731, 392_337, 393_942, 395_546, 397_148, 398_749, 400_349, 401_948, 403_545, 405_142,
  406_737, 408_330, 409_923, 411_514, 413_104, 414_693, 416_281, 417_867, 419_452, 421_036,
  422_618, 424_199, 425_779, 427_358, 428_935, 430_511, 432_086, 433_659, 435_231, 436_802,
  438_371, 439_939, 441_506, 443_071, 444_635, 446_198, 447_759, 449_319, 450_878, 452_435,
  453_990, 455_545, 457_098, 458_650, 460_200, 461_749, 463_296, 464_842, 466_387, 467_930,
  469_472, 471_012, 472_551, 474_088, 475_624, 477_159, 478_692, 480_223, 481_754, 483_282,
  484_810, 486_335, 487_860, 489_382, 490_904, 492_424, 493_942, 495_459, 496_974, 498_488,
  500_000, 501_511, 503_020, 504_528, 506_034, 507_538, 509_041, 510_543, 512_043, 513_541,
  515_038, 516_533, 518_027, 519_519, 521_010, 522_499, 523_986, 525_472, 526_956, 528_438,
  529_919, 531_399, 532_876, 534_352, 535_827, 537_300, 538_771, 540_240, 541_708, 543_174,
  544_639, 546_102, 547_563, 549_023, 550_481, 551_937, 553_392, 554_844, 556_296, 557_745,
  559_193, 560_639, 562_083, 563_526, 564_967, 566_406, 567_844, 569_280, 570_714, 572_146,
  573_576, 575_005, 576_432, 577_858, 579_281, 580_703, 582_123, 583_541, 584_958, 586_372,
  587_785, 589_196, 590_606, 592_013, 593_419, 594_823, 596_225, 597_625, 599_024, 600_420,
  601_815, 603_208, 604_599, 605_988, 607_376, 608_761, 610_145, 611_527, 612_907, 614_285,
  615_661, 617_036, 618_408, 619_779, 621_148, 622_515, 623_880, 625_243, 626_604, 627_963,
  629_320, 630_676, 632_029, 633_381, 634_731, 636_078, 637_424, 638_768, 640_110, 641_450,
  642_788, 644_124, 645_458, 646_790, 648_120, 649_448, 650_774, 652_098, 653_421, 654_741,
  656_059, 657_375, 658_689, 660_002, 661_312, 662_620, 663_926, 665_230, 666_532, 667_833,
  669_131, 670_427, 671_721, 673_013, 674_302, 675_590, 676_876, 678_160, 679_441, 680_721,
  681_998, 683_274, 684_547, 685_818, 687_088, 688_355, 689_620, 690_882, 692_143, 693_402,
  694_658, 695_913, 697_165, 698_415, 699_663, 700_909, 702_153, 703_395, 704_634, 705_872,
  707_107, 708_340, 709_571, 710_799, 712_026, 713_250, 714_473, 715_693, 716_911, 718_126,
  719_340, 720_551, 721_760, 722_967, 724_172, 725_374, 726_575, 727_773, 728_969, 730_162,
  731_354, 732_543, 733_730, 734_915, 736_097, 737_277, 738_455, 739_631, 740_805, 741_976,
  743_145, 744_312, 745_476, 746_638, 747_798, 748_956, 750_111, 751_264, 752_415, 753_563,
  754_710, 755_853, 756_995, 758_134, 759_271, 760_406, 761_538, 762_668, 763_796, 764_921,
  766_044, 767_165, 768_284, 769_400, 770_513, 771_625, 772_734, 773_840, 774_944, 776_046,
  777_146, 778_243, 779_338, 780_430, 781_520, 782_608, 783_693, 784_776, 785_857, 786_935,
  788_011, 789_084, 790_155, 791_224, 792_290, 793_353, 794_415, 795_473, 796_530, 797_584,
  798_636, 799_685, 800_731, 801_776, 802_817, 803_857, 804_894, 805_928, 806_960, 807_990,
  809_017, 810_042, 811_064, 812_084, 813_101, 814_116, 815_128, 816_138, 817_145, 818_150,
  819_152, 820_152, 821_149, 822_144, 823_136, 824_126, 825_113, 826_098, 827_081, 828_060,
  829_038, 830_012, 830_984, 831_954, 832_921, 833_886, 834_848, 835_807, 836_764, 837_719,
  838_671, 839_620, 840_567, 841_511, 842_452, 843_391, 844_328, 845_262, 846_193, 847_122,
  848_048, 848_972, 849_893, 850_811, 851_727, 852_640, 853_551, 854_459, 855_364, 856_267,
  857_167, 858_065, 858_960, 859_852, 860_742, 861_629, 862_514, 863_396, 864_275, 865_151,
  866_025, 866_897, 867_765, 868_632, 869_495, 870_356, 871_214, 872_069, 872_922, 873_772,
  874_620, 875_465, 876_307, 877_146, 877_983, 878_817, 879_649, 880_477, 881_303, 882_127,
  882_948, 883_766, 884_581, 885_394, 886_204, 887_011, 887_815, 888_617, 889_416, 890_213,
  891_007, 891_798, 892_586, 893_371, 894_154, 894_934, 895_712, 896_486, 897_258, 898_028,
  898_794, 899_558, 900_319, 901_077, 901_833, 902_585, 903_335, 904_083, 904_827, 905_569,
  906_308, 907_044, 907_777, 908_508, 909_236, 909_961, 910_684, 911_403, 912_120, 912_834,
  913_545, 914_254, 914_960, 915_663, 916_363, 917_060, 917_755, 918_446, 919_135, 919_821,
  920_505, 921_185, 921_863, 922_538, 923_210, 923_880, 924_546, 925_210, 925_871, 926_529,
  927_184, 927_836, 928_486, 929_133, 929_776, 930_418, 931_056, 931_691, 932_324, 932_954,
  933_580, 934_204, 934_826, 935_444, 936_060, 936_672, 937_282, 937_889, 938_493, 939_094,
  939_693, 940_288, 940_881, 941_471, 942_057, 942_641, 943_223, 943_801, 944_376, 944_949,
  945_519, 946_085, 946_649, 947_210, 947_768, 948_324, 948_876, 949_425, 949_972, 950_516,
  951_057, 951_594, 952_129, 952_661, 953_191, 953_717, 954_240, 954_761, 955_278, 955_793,
  956_305, 956_814, 957_319, 957_822, 958_323, 958_820, 959_314, 959_805, 960_294, 960_779,
  961_262, 961_741, 962_218, 962_692, 963_163, 963_630, 964_095, 964_557, 965_016, 965_473,
  965_926, 966_376, 966_823, 967_268, 967_709, 968_148, 968_583, 969_016, 969_445, 969_872,
  970_296, 970_716, 971_134, 971_549, 971_961, 972_370, 972_776, 973_179, 973_579, 973_976,
  974_370, 974_761, 975_149, 975_535, 975_917, 976_296, 976_672, 977_046, 977_416, 977_783,
  978_148, 978_509, 978_867, 979_223, 979_575, 979_925, 980_271, 980_615, 980_955, 981_293,
  981_627, 981_959, 982_287, 982_613, 982_935, 983_255, 983_571, 983_885, 984_196, 984_503,
  984_808, 985_109, 985_408, 985_703, 985_996, 986_286, 986_572, 986_856, 987_136, 987_414,
  987_688, 987_960, 988_228, 988_494, 988_756, 989_016, 989_272, 989_526, 989_776, 990_024,
  990_268, 990_509, 990_748, 990_983, 991_216, 991_445, 991_671, 991_894, 992_115, 992_332,
  992_546, 992_757, 992_966, 993_171, 993_373, 993_572, 993_768, 993_961, 994_151, 994_338,
  994_522, 994_703, 994_881, 995_056, 995_227, 995_396, 995_562, 995_725, 995_884, 996_041,
  996_195, 996_345, 996_493, 996_637, 996_779, 996_917, 997_053, 997_185, 997_314, 997_441,
  997_564, 997_684, 997_801, 997_916, 998_027, 998_135, 998_240, 998_342, 998_441, 998_537,
  998_630, 998_719, 998_806, 998_890, 998_971, 999_048, 999_123, 999_194, 999_263, 999_328,
  999_391, 999_450, 999_507, 999_560, 999_610, 999_657, 999_701, 999_743, 999_781, 999_816,
  999_848, 999_877, 999_903, 999_925, 999_945, 999_962, 999_976, 999_986, 999_994, 999_998,
  1_000_000,
]

function sineOf(tenths: number): number {
  const turn = tenths % BEARINGS
  if (turn >= BEARINGS / 2) return -sineOf(turn - BEARINGS / 2)
  return SINES[turn <= QUARTER ? turn : BEARINGS / 2 - turn]
}

/** Returns the direction of a bearing 0 … 3,599, as a vector of length UNIT, without any -0. */
export function directionOf(tenths: number): { readonly x: number; readonly y: number } {
  assert(Number.isInteger(tenths) && tenths >= 0 && tenths < BEARINGS, `no bearing ${tenths}`)
  return { x: sineOf(tenths + QUARTER) + 0, y: sineOf(tenths) + 0 }
}
