/**
 * The handwritten places: five capitals with their start stations, and one notable place in each
 * tract.
 */

interface CapitalText {
  system: string
  description: string
  sun: string
  world: string
  worldText: string
  belt: string
  beltText: string
  station: string
  stationText: string
  story: string
}

/** In the order of EMPIRE_IDS. */
export const CAPITALS: readonly CapitalText[] = [
  {
    system: 'Aurelune',
    description:
      'Seat of the Concordance. Seven colonies signed their first treaty in orbit here ' +
      'because it was noon in all of them; the hour is still kept, everywhere, by law. The ' +
      'lanes are broad, the patrols courteous, and the belt is set aside for whoever is just ' +
      'starting out.',
    sun: 'Noonfather',
    world: 'Charterhome',
    worldText:
      'Blue, white and zoned. The first treaty is carved across a mountain, in letters ' +
      'visible from the dock.',
    belt: 'Apprentice Shoal',
    beltText:
      'Reserved by statute for new citizens. The statute has a sun clause, and a shade clause.',
    station: 'Concord Spire',
    stationText:
      'A needle of white alloy with a court at the tip, a port at the waist and ten thousand ' +
      'offices between.',
    story:
      'A clerk in a heliodor collar hands a new pilot a thin book: rights on the left pages, ' +
      'duties on the right. They balance. Berth nine is kept for first ships, the belt is ' +
      'three minutes out, and the ore desk never closes.',
  },
  {
    system: 'Ith Vael',
    description:
      'Where the first sleeper ship stopped burning and listened, and did not go on. The ' +
      'Conclave meets here without speaking. The sun is small and grey; ships keep their ' +
      'lamps low out of respect for whatever answered.',
    sun: 'The Grey Lamp',
    world: 'Oumen',
    worldText:
      'Unsettled by agreement. Its night side is the darkest thing on the chart, and ' +
      'pilgrims come to see it.',
    belt: 'First Sifting',
    beltText: 'Children are taken here to learn how to tell stone by its ring.',
    station: 'The Listening',
    stationText:
      'The sleeper ship itself, its engines cold, its hull grown into galleries and its hull ' +
      'plates into bells.',
    story:
      'The berths here still know how to wake a crew gently. On the ramp a hand draws three ' +
      'signs in the air for somebody new: ship, stone, return. Whoever has done it once is ' +
      'told, aloud, that it was well done. It is a great honour.',
  },
  {
    system: 'Karrag Deep',
    description:
      'A collapsed giant’s core, quarried for eight generations. The Oathhold’s first ' +
      'promise was made at its lip: that nobody would go down alone. The muster bell rings ' +
      'for every ship that leaves and again, hours later, for every ship that does not come ' +
      'back.',
    sun: 'The Bellows',
    world: 'Anvilgrave',
    worldText: 'Iron plains under a red sky, striped with slag rivers and memorial roads.',
    belt: 'Whelp’s Quarry',
    beltText: 'Tailings of the great dig. Anyone who swears may cut here.',
    station: 'Oathanvil',
    stationText:
      'A hammerhead fortress around a single forge. The forge is lit by the newest arrival; ' +
      'today that is you.',
    story:
      'The smith does not look up. “Name. Good. What do you swear?” Whatever the new ones say ' +
      'is stamped on a tag and hung with four million others. “Then you have a berth, a beam ' +
      'and a tank. Bring iron. Come back.”',
  },
  {
    system: 'Gildshoal',
    description:
      'Nine counting houses float here in a bank of luminous gas, roped together so that ' +
      'none can leave first. More cargo changes hands in a shift at Gildshoal than some ' +
      'empires grow in a year, and all of it is written down.',
    sun: 'The Paymaster',
    world: 'Usury',
    worldText: 'A gas giant with tollgates. Its storms are leased by the century.',
    belt: 'Penny Shoal',
    beltText:
      'Copper and tin, left rich on purpose: every magnate in the League began by scraping it.',
    station: 'The Grand Ledger',
    stationText:
      'A trading floor under a dome of gas-light, with the day’s prices falling down the ' +
      'walls like rain.',
    story:
      'At the first desk an auditor gives newcomers a ship, a tank of fuel and a receipt for ' +
      'both. “The League invests in you,” she tells each of them, “modestly. Copper is up. ' +
      'The shoal is close. I would go now, before the others read the board.”',
  },
  {
    system: 'Lampwick',
    description:
      'The last charted star, once. A stranded crew hung a lamp on their wreck so that the ' +
      'next would not be alone, and the next brought oil. The lamp still burns on the dock; ' +
      'ships going further out touch it for luck, and ships coming home touch it for thanks.',
    sun: 'Old Ember',
    world: 'Supper',
    worldText: 'Potatoes, goats, wind. The sky has more stars on one side than on the other.',
    belt: 'Neighbour’s Rocks',
    beltText: 'Dig what you need, leave the gate shut.',
    station: 'Wayfarers’ Lamp',
    stationText:
      'The wreck is still in there somewhere, under four hundred years of additions and a ' +
      'very good kitchen.',
    story:
      'Somebody’s aunt looks everybody over, finds them thin, and feeds them before the forms ' +
      'come out. There are no forms. Ships that lean go to the young; the rocks are that way. ' +
      '“Touch the lamp. Be home by dark, whenever that is.”',
  },
]

interface TractText {
  stronghold: string
  strongholdText: string
  station: string
  stationText: string
  story: string
  place: string
  placeText: string
}

/** In the order of the tracts in REGIONS. */
export const TRACT_TEXTS: readonly TractText[] = [
  {
    stronghold: 'Tithe Barn',
    strongholdText:
      'A ring of captured freighters welded nose to tail around a dying star. A tenth of ' +
      'everything comes here.',
    station: 'The Tenth Part',
    stationText:
      'Guns on the outside, grain on the inside, and a ledger as honest as any empire’s.',
    story:
      '“You keep nine,” says the collector. “Ask anyone, that is generous. The chair is ' +
      'free; the drink is not.”',
    place: 'The Table of Five',
    placeText:
      'A round room cut in an asteroid, five chairs, one signature missing from the page on ' +
      'the table.',
  },
  {
    stronghold: 'Candlecourt',
    strongholdText:
      'Lights by the million, hung on nets. From afar it looks like a city, and that is what ' +
      'it is for.',
    station: 'The Chandelier',
    stationText: 'A palace of lures. The kings sit where the light is worst.',
    story:
      'Three kings, one crown; they take turns. Tonight’s is bored, which is the best kind ' +
      'to meet.',
    place: 'The Cocoon',
    placeText:
      'Something the size of a moon has wrapped itself up here and is changing, very slowly.',
  },
  {
    stronghold: 'Choir Loft',
    strongholdText: 'Forty drowned hulls lashed together, their radios open, humming one note.',
    station: 'Low Water',
    stationText:
      'Decks awash with condensation, barnacles nobody can explain, excellent dry docks.',
    story:
      'They sing you in. If the note changes, they told you once, cut your engine and do not ' +
      'answer.',
    place: 'The Plughole',
    placeText:
      'A slow whirl of dust and small stones, going down into nothing that instruments admit to.',
  },
  {
    stronghold: 'Ropewalk',
    strongholdText:
      'The mutineers’ flagship, never renamed, hung about with the ships that came to arrest her.',
    station: 'The Short Drop',
    stationText: 'A gallows trap for a landing bay. It still works.',
    story:
      'The vote was four hundred to one. The one is on the wall, framed. “Sign or fly,” says ' +
      'the bosun.',
    place: 'The Captain’s Chair',
    placeText: 'A single seat drifting in the open, facing a star that went out.',
  },
  {
    stronghold: 'Bramble Hall',
    strongholdText:
      'A fortress grown out of wreckage, hedge within hedge, and one road in that moves.',
    station: 'Court of Thorns',
    stationText:
      'Chandeliers of shell cases, courtiers in flight suits, a throne with the pins still in it.',
    story:
      'You are announced by a herald with one ear. The court applauds, politely, the ship ' +
      'you came in.',
    place: 'The First Mine',
    placeText:
      'It has been armed for eleven hundred years and sends a message every noon: still here.',
  },
  {
    stronghold: 'Final Notice',
    strongholdText: 'The colony office, besieged by its own customers, who won and never left.',
    station: 'Collections',
    stationText: 'A vault full of promises with a gun deck on top.',
    story: '“Everyone pays,” the clerk explains, loading, “it is only a question of whom.”',
    place: 'The Model Home',
    placeText:
      'One perfect house under one perfect dome, table laid for four, light on in the hall.',
  },
]
