/** Hulls that were added later: id, name, role, tier and description. */
import type { EmpireId } from './map-types.ts'
import type { ShipLine } from './ship-names.ts'

const SOLARIAN: readonly ShipLine[] = [
  ['proviso', 'Proviso', 'salvager', 1, 'Takes what is left, subject to conditions.'],
  ['usher', 'Usher', 'liner', 1, 'Shows you to your seat and then to your planet.'],
  ['glaze', 'Glaze', 'icer', 2, 'Works the frost line for the city fountains.'],
  ['notary', 'Notary', 'scout', 2, 'Sees everything, stamps it, files it in three places.'],
  ['marshal', 'Marshal', 'assault', 2, 'Knocks twice. The second knock is the door.'],
  ['surveyor_general', 'Surveyor General', 'scout', 3, 'Its maps are admitted as evidence.'],
  ['tribune', 'Tribune', 'liner', 3, 'Two galleries, so that everyone may be heard over dinner.'],
  ['seal_of_office', 'Seal of Office', 'assault', 3, 'Pressed once into anything soft.'],
  ['lapidary', 'Lapidary', 'miner', 4, 'Cuts moons to size, with a bevel.'],
  [
    'hospice_of_light',
    'Hospice of Light',
    'support',
    4,
    'Turns nobody away and tows its own yard.',
  ],
  [
    'seven_suns',
    'Seven Suns',
    'carrier',
    5,
    'One deck for each colony; the eighth is for the cats.',
  ],
]

const VOIDBORN: readonly ShipLine[] = [
  ['mote', 'Mote', 'shade', 1, 'Something in the corner of the scanner’s eye.'],
  ['filament', 'Filament', 'gasser', 1, 'Sips from clouds without waking them.'],
  ['rime', 'Rime', 'icer', 2, 'Gathers frost by standing still near it.'],
  ['lull', 'Lull', 'support', 2, 'Comes alongside, and the shouting stops.'],
  ['moult', 'Moult', 'salvager', 2, 'Takes what a hull has finished with.'],
  ['vesper', 'Vesper', 'liner', 3, 'Passengers are asked to whisper, and do.'],
  [
    'long_listening',
    'Long Listening',
    'scout',
    3,
    'Has been hearing one particular noise for nine years.',
  ],
  ['undine', 'Undine', 'gasser', 3, 'Goes under the cloud and comes up full.'],
  [
    'quiet_quarry',
    'Quiet Quarry',
    'miner',
    4,
    'A mountain leaves, and the valley hears of it later.',
  ],
  ['requiem', 'Requiem', 'assault', 4, 'Boards in silence. The silence boards too.'],
  ['last_lamp', 'The Last Lamp', 'flagship', 5, 'When it is lit, somebody has decided something.'],
]

const CRIMSON: readonly ShipLine[] = [
  ['ragpicker', 'Ragpicker', 'salvager', 1, 'First after the battle, last to leave it.'],
  ['bellows', 'Bellows', 'gasser', 1, 'Breathes in for the furnaces.'],
  ['hammerhand', 'Hammerhand', 'support', 2, 'Mends you and tells you what you did wrong.'],
  ['cinder', 'Cinder', 'scout', 2, 'Small, hot, hard to catch.'],
  ['gibbet_crow', 'Gibbet Crow', 'salvager', 3, 'Circles, settles, eats.'],
  ['outrider', 'Outrider', 'scout', 3, 'Goes where the vanguard will be proud of having been.'],
  ['field_forge', 'Field Forge', 'support', 3, 'An anvil, a crane and a choir, under way.'],
  ['oath_hall', 'Oath Hall', 'liner', 3, 'Carries weddings between worlds; the band is armed.'],
  [
    'breaker_of_gates',
    'Breaker of Gates',
    'assault',
    4,
    'Named before it was built, and after what.',
  ],
  ['mountain_eater', 'Mountain Eater', 'miner', 4, 'They feed it one a season.'],
  [
    'hearth_of_war',
    'Hearth of War',
    'carrier',
    5,
    'Three hundred bunks, ninety cradles, one fire.',
  ],
]

const NEBULA: readonly ShipLine[] = [
  ['tithe_box', 'Tithe Box', 'miner', 1, 'Small coins of rock, dropped in one by one.'],
  ['sedan', 'Sedan', 'liner', 1, 'Four passengers and a footman, who is the pilot.'],
  [
    'claims_adjuster',
    'Claims Adjuster',
    'salvager',
    2,
    'Arrives after the loss, with a cutter and a form.',
  ],
  ['prospectus', 'Prospectus', 'miner', 2, 'Past yields are no guarantee.'],
  ['due_diligence', 'Due Diligence', 'scout', 3, 'Looks under everything, twice, for a fee.'],
  ['liquidator', 'Liquidator', 'assault', 3, 'Takes possession.'],
  ['grand_tour', 'Grand Tour', 'liner', 3, 'Nine ports, nine cellars, nine farewells.'],
  ['receivership', 'Receivership', 'salvager', 3, 'Everything aboard was somebody else’s idea.'],
  [
    'belle_of_the_drift',
    'Belle of the Drift',
    'liner',
    4,
    'The ballroom turns; the money goes round.',
  ],
  [
    'open_outcry',
    'Open Outcry',
    'support',
    4,
    'Shouts your name across a battle and means it kindly.',
  ],
  ['sinking_fund', 'Sinking Fund', 'flagship', 5, 'It has been set aside for exactly this.'],
]

const OUTERRIM: readonly ShipLine[] = [
  ['kettle', 'Kettle', 'gasser', 1, 'Whistles when the tank is full.'],
  ['sledge', 'Sledge', 'icer', 1, 'Drags home a winter at a time.'],
  ['stray', 'Stray', 'salvager', 1, 'Followed someone home. Was fed once.'],
  ['midwife', 'Midwife', 'support', 2, 'Gets there in time, in any weather there is.'],
  ['stagecoach', 'Stagecoach', 'liner', 2, 'Twelve seats, one stove, a guard who reads aloud.'],
  ['haymaker', 'Haymaker', 'miner', 2, 'Swings wide and brings it all in.'],
  ['glacier_ox', 'Glacier Ox', 'icer', 3, 'Pulls a comet like a plough.'],
  ['dustdevil', 'Dustdevil', 'gasser', 3, 'Spins through the cloud and comes out heavy.'],
  ['lynch_pin', 'Lynchpin', 'assault', 3, 'Pull it, and everything else comes loose.'],
  ['country_doctor', 'Country Doctor', 'support', 3, 'Paid in eggs, mostly, and in stories.'],
  ['long_fence', 'Long Fence', 'flagship', 5, 'It goes all the way round.'],
]

/** In the order of SHIP_LINES; after all earlier classes in the table. */
export const LATER_SHIP_LINES: readonly (readonly [EmpireId, readonly ShipLine[]])[] = [
  ['solarian', SOLARIAN],
  ['voidborn', VOIDBORN],
  ['crimson', CRIMSON],
  ['nebula', NEBULA],
  ['outerrim', OUTERRIM],
]

/** Built in every yard. */
export const LATER_OPEN_SHIP_LINES: readonly ShipLine[] = [
  ['dinghy', 'Dockyard Dinghy', 'miner', 1, 'Every yard has one and nobody remembers buying it.'],
  ['paper_plane', 'Paper Plane', 'scout', 1, 'The drawings fit on one sheet, which also works.'],
  ['water_carrier', 'Water Carrier', 'icer', 1, 'Older than the towns it keeps alive.'],
  ['lighter', 'Harbour Lighter', 'hauler', 2, 'Goes where big ships will not, which is alongside.'],
  ['ferry', 'Lane Ferry', 'liner', 2, 'On the hour, every hour, for three hundred years.'],
  ['dredger', 'Lane Dredger', 'miner', 3, 'Keeps the lanes clear and sells what was in the way.'],
  ['convoy_escort', 'Convoy Escort', 'fighter', 3, 'Slow on purpose, cross by nature.'],
  ['wrecking_crew', 'Wrecking Crew', 'salvager', 4, 'Brings its own sunset.'],
  ['container_train', 'Container Train', 'hauler', 4, 'The pilot has never seen the other end.'],
]
