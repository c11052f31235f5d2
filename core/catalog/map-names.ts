/** Names of systems and stations: word tables by region, combined so that all names differ. */
import type { Draws } from './draws.ts'

interface NameTable {
  heads: readonly string[]
  tails: readonly string[]
  /** Between head and tail: '' for coined words, ' ' for two words. */
  joint: '' | ' '
  stations: readonly string[]
}

const words = (list: string) => list.split(' ')

const SOLARIAN: NameTable = {
  heads: words(
    'Aur Cand Lucer Mirab Verit Clem Argen Vesp Corin Dulc Pala Seren Tess Valor Octav Cael',
  ),
  tails: words('ia ine ora ium essa anth ole une ara elle aris onde'),
  joint: '',
  stations: words(
    'Assize Chancery Customs Observatory Registry Basilica Terrace Cloister Tribunal Exchange',
  ),
}

const VOIDBORN: NameTable = {
  heads: words('Ith Noor Sheth Ulu Aeth Mirr Quol Ysk Thren Oum Saal Neth Hael Ebb Ruun Vhos'),
  tails: words('a en ul is orh ael im oon eth ara il ush'),
  joint: '',
  stations: words(
    'Stillness Hermitage Listening-Post Vigil Hollow Lull Sounding Cairn Retreat Threshold',
  ),
}

const CRIMSON: NameTable = {
  heads: words('Gorm Brak Hald Skarn Torv Urz Varg Keld Drost Hraf Storn Murk Bjark Rend Ost Vold'),
  tails: words('ag ek und heim holt gard or ath ulf mark dun ossa'),
  joint: '',
  stations: words('Forge Muster Bastion Foundry Drillyard Redoubt Arsenal Smelter Hall Gate'),
}

const NEBULA: NameTable = {
  heads: words(
    'Silk Amber Tally Vellum Brocade Saffron Tariff Cinnamon Florin Guilder Damask Indigo ' +
      'Pearl Velvet',
  ),
  tails: words(
    'Wharf Landing Shoal Quay Sound Bourse Anchorage Strand Mooring Roads Basin Harbour',
  ),
  joint: ' ',
  stations: words(
    'Exchange Counting-House Bonded-Dock Warehouse Auction Brokerage Mart Treasury Arcade Pier',
  ),
}

const OUTERRIM: NameTable = {
  heads: words(
    'Widow’s Kettle Thistle Saddle Cooper’s Lonesome Crow Bramble Hatchet Marrow Tinder ' +
      'Juniper Mule Sorrel',
  ),
  tails: words('Rest Gulch Bend Fork Hollow Crossing Ridge Spring Acre Stead Chimney Ford'),
  joint: ' ',
  stations: words('Lamp Store Depot Waystop Bunkhouse Well Corral Post Farrier Landing'),
}

const LAWLESS_STATIONS = words(
  'Roadhouse Hulk Den Anchorage Berth Lantern Shack Pierhead Refuge Claim',
)

const tractNames = (heads: string, tails: string): NameTable => ({
  heads: words(heads),
  tails: words(tails),
  joint: ' ',
  stations: LAWLESS_STATIONS,
})

const TRACTS: readonly NameTable[] = [
  tractNames(
    'Ashen Nameless Sunken Broken Hungry Mute Forgotten Sallow Bare Tilted Cold Sour Lean Blind',
    'Well Table Hearth Cradle Bell Ladder Stair Door Window Cup Wheel Clock',
  ),
  tractNames(
    'Moth Candle Cinder Dust Husk Paper Wax Tallow Silver Dun Pale Spent Smoulder Fading',
    'Wing Flight Veil Chandel Ember Shade Swarm Lure Shroud Wick Spiral Court',
  ),
  tractNames(
    'Saltless Drowned Slack Neap Brackish Becalmed Still Grey Empty Fathom Low Wide Lost Sounding',
    'Tide Reach Buoy Shelf Keel Strait Anchor Bank Drift Cape Lagoon Trench',
  ),
  tractNames(
    'Gallows Mutineer’s Hangman’s Cutthroat Traitor’s Captain’s Widowmaker’s Quiet Judge’s ' +
      'Rope’s Last Final Sorry Stolen',
    'Drop Knot Beam Plank Oath Verdict Yard Cell Share Word Silence Hour',
  ),
  tractNames(
    'Thorn Briar Nettle Barbed Bramble Shard Splinter Ruin Rust Tangle Bitter Torn Ragged Feral',
    'Hedge Crown Garden Maze Root Grove Spine Fence Patch Snare Bower Field',
  ),
  tractNames(
    'Unpaid Pawned Default Bankrupt Ragman’s Beggar’s Creditor’s Idle Vacant Overdue ' +
      'Promised Mortgaged Borrowed Forfeit',
    'Claim Lot Promise Title Parcel Deed Plot Hope Margin Harvest Interest Farthing',
  ),
]

/** Name tables, in the order of REGIONS. */
const TABLES: readonly NameTable[] = [SOLARIAN, VOIDBORN, CRIMSON, NEBULA, OUTERRIM, ...TRACTS]

/** Returns the slug of a name: 'Widow's Rest' becomes 'widows_rest'. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('’', '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
}

/** The names taken so far: no two may have the same slug. */
export interface NameBook {
  /** Takes a name with its slug; returns false if the slug is taken. */
  take(name: string): boolean
}

export function openNameBook(): NameBook {
  const slugs = new Set<string>()
  return {
    take(name) {
      const slug = slugOf(name)
      if (slugs.has(slug)) return false
      slugs.add(slug)
      return true
    },
  }
}

const NAME_TRIES = 400

/** Takes a name for a system of a region. */
export function nameSystem(region: number, draws: Draws, book: NameBook): string {
  const { heads, tails, joint } = TABLES[region]!
  for (let i = 0; i < NAME_TRIES; i++) {
    const name = draws.pick(heads) + joint + draws.pick(tails)
    if (book.take(name)) return name
  }
  return firstFree(
    heads.flatMap((head) => tails.map((tail) => head + joint + tail)),
    book,
  )
}

/** Takes a name for the station of a system. */
export function nameStation(region: number, system: string, draws: Draws, book: NameBook): string {
  const nouns = TABLES[region]!.stations.map((noun) => noun.replaceAll('-', ' '))
  for (let i = 0; i < NAME_TRIES; i++) {
    const name = `${system} ${draws.pick(nouns)}`
    if (book.take(name)) return name
  }
  return firstFree(
    nouns.map((noun) => `${system} ${noun}`),
    book,
  )
}

function firstFree(names: readonly string[], book: NameBook): string {
  for (const name of names) if (book.take(name)) return name
  throw new Error('map: a region has run out of names')
}
