/**
 * The hulls by empire: id, name, role, tier and description. Figures come from ship-roles.ts.
 */
import type { EmpireId } from './map-types.ts'
import type { Role } from './ship-roles.ts'

export type ShipLine = readonly [
  id: string,
  name: string,
  role: Role,
  tier: number,
  description: string,
]

const SOLARIAN: readonly ShipLine[] = [
  [
    'clause',
    'Clause',
    'starter',
    0,
    'Issued to every new citizen with a copy of the charter. Both are binding.',
  ],
  ['footnote', 'Footnote', 'miner', 1, 'A modest digger that turns up wherever details matter.'],
  ['messenger', 'Messenger', 'hauler', 1, 'Carries writs, parcels and the odd magistrate’s cat.'],
  ['lookout', 'Lookout', 'scout', 1, 'All windows and good manners.'],
  ['bailiff', 'Bailiff', 'fighter', 1, 'Serves papers at high speed.'],
  [
    'almoner',
    'Almoner',
    'miner',
    2,
    'Church-built ore boat; a tenth of every hold is still given away.',
  ],
  [
    'provender',
    'Provender',
    'hauler',
    2,
    'Feeds half of the inner worlds without ever being thanked.',
  ],
  ['sentence', 'Sentence', 'fighter', 2, 'Short, clear and hard to appeal.'],
  ['promenade', 'Promenade', 'liner', 2, 'A band, a terrace, and departures to the minute.'],
  ['cornerstone', 'Cornerstone', 'miner', 3, 'Surveyed, licensed and as heavy as the paperwork.'],
  ['granary', 'Granary', 'hauler', 3, 'Sealed holds under a golden seal.'],
  ['verdict', 'Verdict', 'fighter', 3, 'Destroyer of record for the home fleet.'],
  ['almshouse', 'Almshouse', 'support', 3, 'White hull, open doors, no flags asked.'],
  [
    'covenant',
    'Covenant',
    'fighter',
    4,
    'The cruiser the seven colonies agreed on, after nine years.',
  ],
  ['aqueduct', 'Aqueduct', 'hauler', 4, 'Moves a lake at a time.'],
  [
    'concord_eternal',
    'Concord Eternal',
    'flagship',
    5,
    'There are four. Each has a court room and a bell.',
  ],
]

const VOIDBORN: readonly ShipLine[] = [
  [
    'hush',
    'Hush',
    'starter',
    0,
    'A single cabin in a shell of shields. The young learn stillness in it.',
  ],
  ['sift', 'Sift', 'miner', 1, 'Takes grains and leaves the dune.'],
  ['breath', 'Breath', 'hauler', 1, 'Comes, goes, is not remarked upon.'],
  ['glimpse', 'Glimpse', 'scout', 1, 'You saw it. It had been there for an hour.'],
  ['needle', 'Needle', 'fighter', 1, 'One thrust, no noise.'],
  ['winnow', 'Winnow', 'miner', 2, 'Sorts ore by listening to it.'],
  ['undertow', 'Undertow', 'hauler', 2, 'Dark-painted freighter with lamps nobody lights.'],
  ['umbra', 'Umbra', 'shade', 2, 'The Conclave’s eyes, and lids.'],
  ['penumbra', 'Penumbra', 'fighter', 2, 'Shields first, then everything else.'],
  ['deepsift', 'Deepsift', 'miner', 3, 'Works seams no lamp has ever reached.'],
  ['long_exhale', 'Long Exhale', 'hauler', 3, 'A generation ship’s grandchild, still in no hurry.'],
  ['absence', 'Absence', 'shade', 3, 'Listed as lost in three navies’ registers.'],
  ['stillpoint', 'Stillpoint', 'fighter', 3, 'Everything turns around it, then stops.'],
  ['nocturne', 'Nocturne', 'fighter', 4, 'A cruiser in a minor key.'],
  ['ark_of_embers', 'Ark of Embers', 'hauler', 4, 'Hold after hold of banked fires and seed.'],
  ['the_unsaid', 'The Unsaid', 'carrier', 5, 'Opens its decks and the dark comes out.'],
]

const CRIMSON: readonly ShipLine[] = [
  ['whelp', 'Whelp', 'starter', 0, 'Ugly, red and yours. Swear at it and it starts.'],
  ['pickhand', 'Pickhand', 'miner', 1, 'Forge brats cut their teeth in one.'],
  ['porter', 'Porter', 'hauler', 1, 'Carries shells forward and wounded back.'],
  ['farsight', 'Farsight', 'scout', 1, 'Rides ahead and does not lie about what it saw.'],
  ['fang', 'Fang', 'fighter', 1, 'Engine, gun, promise.'],
  ['anvilhand', 'Anvilhand', 'miner', 2, 'Smelter heat in the bilges, hammer noise in the deck.'],
  ['quartermaster', 'Quartermaster', 'hauler', 2, 'Counts twice, delivers once.'],
  ['reaver', 'Oathreaver', 'assault', 2, 'Puts its bow through yours and its people after it.'],
  ['warbrand', 'Warbrand', 'fighter', 2, 'A frigate that leans into the recoil.'],
  ['slagmaker', 'Slagmaker', 'miner', 3, 'Eats asteroids, leaves clinker.'],
  ['caravan_guard', 'Caravan Guard', 'hauler', 3, 'A freighter with a temper.'],
  ['ironsworn', 'Ironsworn', 'assault', 3, 'Marines stand in its ribs like shells in a belt.'],
  ['bloodprice', 'Bloodprice', 'fighter', 3, 'What it costs, it collects.'],
  [
    'red_testament',
    'Red Testament',
    'fighter',
    4,
    'Every plate carries the oath of whoever hung it.',
  ],
  ['siege_train', 'Siege Train', 'hauler', 4, 'Brings the war, packed and labelled.'],
  ['last_word', 'Last Word', 'flagship', 5, 'The Oathhold has never had to say it twice.'],
]

const NEBULA: readonly ShipLine[] = [
  ['penny', 'Penny', 'starter', 0, 'First ship of every apprentice. Look after it.'],
  ['teaspoon', 'Teaspoon', 'gasser', 1, 'A small scoop for a large cloud.'],
  ['satchel', 'Satchel', 'hauler', 1, 'Deeper than it looks; everything of the League’s is.'],
  ['appraiser', 'Appraiser', 'scout', 1, 'Knows the price of every world on its route.'],
  ['clerk_at_arms', 'Clerk-at-Arms', 'fighter', 1, 'Audits pirates.'],
  ['ladle', 'Ladle', 'gasser', 2, 'Fills tanks on the way to somewhere else.'],
  ['bale', 'Bale', 'hauler', 2, 'Square, strong, stackable.'],
  ['factor', 'Factor', 'liner', 2, 'Buyers travel in front, samples behind.'],
  ['indemnity', 'Indemnity', 'fighter', 2, 'Cheaper than the claim.'],
  ['cloud_mill', 'Cloud Mill', 'gasser', 3, 'Turns nebula into numbers.'],
  ['warehouse', 'Warehouse', 'hauler', 3, 'Twelve gates, one engine, no hurry.'],
  ['seam_broker', 'Seam Broker', 'miner', 3, 'Digs on commission.'],
  ['underwriter', 'Underwriter', 'fighter', 3, 'The premium was in fact quite reasonable.'],
  ['grand_audit', 'Grand Audit', 'fighter', 4, 'Goes through everything.'],
  ['emporium', 'Emporium', 'hauler', 4, 'A market with a drive on the back.'],
  [
    'golden_balance',
    'Golden Balance',
    'hauler',
    5,
    'Its arrival is a line in other people’s budgets.',
  ],
]

const OUTERRIM: readonly ShipLine[] = [
  ['wick', 'Wick', 'starter', 0, 'Three owners before you, and it loved them all.'],
  ['rockhopper', 'Rockhopper', 'miner', 1, 'Lands on anything. Leaves most of it.'],
  ['mule', 'Pack Mule', 'hauler', 1, 'Kicks.'],
  ['swallow', 'Swallow', 'scout', 1, 'First over the hill, first to say so.'],
  ['hornet', 'Rim Hornet', 'fighter', 1, 'Small, fast, in your ear.'],
  ['tinker', 'Tinker', 'salvager', 2, 'Half of it used to be someone else’s.'],
  ['wagon', 'Longwagon', 'hauler', 2, 'A home, a hold, a garden in the galley.'],
  ['trailhand', 'Trailhand', 'scout', 2, 'Marks the way for whoever comes next.'],
  ['fencepost', 'Fencepost', 'fighter', 2, 'Says where the farm begins.'],
  ['boneyard', 'Boneyard', 'salvager', 3, 'Goes home heavier than it left.'],
  ['homestead', 'Homestead', 'hauler', 3, 'Four families and a goat.'],
  ['far_lantern', 'Far Lantern', 'scout', 3, 'The light you see last, going out.'],
  ['posse', 'Posse', 'fighter', 3, 'Everybody who owns a gun, in one hull.'],
  ['stampede', 'Stampede', 'fighter', 4, 'It started as a convoy.'],
  ['landslide', 'Landslide', 'miner', 4, 'A whole quarry that learned to fly.'],
  [
    'barn_raising',
    'Barn Raising',
    'carrier',
    5,
    'Built by everyone, owned by nobody, needed by all.',
  ],
]

export const SHIP_LINES: readonly (readonly [EmpireId, readonly ShipLine[]])[] = [
  ['solarian', SOLARIAN],
  ['voidborn', VOIDBORN],
  ['crimson', CRIMSON],
  ['nebula', NEBULA],
  ['outerrim', OUTERRIM],
]

/** Built in every yard. */
export const OPEN_SHIP_LINES: readonly ShipLine[] = [
  ['barge', 'Common Barge', 'hauler', 1, 'The drawings are public and so is the embarrassment.'],
  ['tugboat', 'Harbour Tug', 'salvager', 2, 'Pulls anything, quarrels with everything.'],
  ['surveyor', 'Charter Surveyor', 'scout', 2, 'Hired by the month, lost by the year.'],
  ['icebreaker', 'Icebreaker', 'icer', 2, 'Ribbed bow, steam-heated decks, good soup.'],
  ['relief_ship', 'Relief Ship', 'support', 2, 'Paid for by subscription, crewed by volunteers.'],
  ['patrol_cutter', 'Patrol Cutter', 'fighter', 2, 'What a port can afford.'],
]

/**
 * Flown only by outlaws, and not for sale. Their combat figures are those of combat.md section 13.
 */
export const PIRATE_SHIP_LINES: readonly ShipLine[] = [
  ['cutpurse', 'Cutpurse', 'fighter', 1, 'A stolen courier with a stolen gun.'],
  ['marauder', 'Marauder', 'fighter', 2, 'Patched from three wrecks, one of them its own.'],
  ['plunderer', 'Plunderer', 'assault', 3, 'Grapnels, paint and no insurance.'],
  ['black_tithe', 'Black Tithe', 'assault', 4, 'Collects.'],
]

/** Flown only by police; players can neither build nor own them. */
export const POLICE_SHIP_LINES: readonly ShipLine[] = [
  ['constable', 'Constable', 'fighter', 1, 'No cockpit. It does not tire and it does not argue.'],
]
