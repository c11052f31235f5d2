/** Supply missions: goods of which a base runs short. */
import { FRONTIER, giver, PIRATES_ONLY, supplies } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

const BAKER = giver('Odo Pell', 'Head of the Canteen')
const MEDIC = giver('Dr. Hesper Anwick', 'Station Surgeon')
const FOREMAN = giver('Bryn Tallow', 'Dock Foreman')
const TEACHER = giver('Maud Ferrier', 'Schoolmistress, Ring Two')
const YARD = giver('Kasimir Oake', 'Yardmaster')
const PURSER = giver('Leonie Strand', 'Purser')
const GARDENER = giver('Tobit Greer', 'Keeper of the Gardens')
const FENCE = giver('Aunt Sparrow', 'Dealer in Whatever')
const WIDOW = giver('Petra Lund', 'Chandler')

export const SUPPLY_MISSIONS: readonly MissionRow[] = supplies([
  [
    'bread_before_shift',
    'Bread Before Shift',
    BAKER,
    1,
    [
      ['bread', 25],
      ['vat_cheese', 18],
    ],
    [
      'The oven is cold and the night shift is not. Bring me bread before they find the biscuits.',
      'Good. I will tell them it is coming, and stand well back.',
      'Then it is algae bars again, and they will know whose fault it was.',
      'Still soft. You have prevented something between a strike and a hymn.',
    ],
  ],
  [
    'noodle_night',
    'Noodle Night',
    BAKER,
    1,
    [
      ['noodles', 20],
      ['pickles', 30],
    ],
    [
      'Every tenth day is noodle night. It is the tenth day. There are no noodles.',
      'With pickles, mind. Without pickles it is only wet string.',
      'I shall serve the menu cards. They are made of much the same thing.',
      'Listen to that queue. That is the sound of a crew forgiving its canteen.',
    ],
  ],
  [
    'bandage_run',
    'A Drawer Full of Nothing',
    MEDIC,
    2,
    [
      ['bandages', 20],
      ['painkillers', 21],
    ],
    [
      'I opened the bandage drawer this morning and found a receipt. Fill it for me, please.',
      'Thank you. Until then I am sewing people up with fishing line and confidence.',
      'Very well. Do try not to bleed anywhere near here.',
      'Clean, dry and counted. Three people will walk tomorrow because of this box.',
    ],
  ],
  [
    'burn_ward',
    'The Burn Ward',
    MEDIC,
    3,
    [['burn_gel', 21]],
    [
      'A coupling let go on the furnace deck. Nine burned, two badly, and my gel is gone.',
      'Every hour you save is a hand somebody keeps. Fly safe anyway.',
      'I understand. I will ask the next ship, and the one after it.',
      'All nine will keep their hands. They asked what you look like. I made something up.',
    ],
  ],
  [
    'quiet_fever',
    'Quiet Fever',
    MEDIC,
    3,
    [
      ['antibiotics', 15],
      ['blood_plasma', 8],
    ],
    [
      'Eleven cases on the lower ring. They do not complain, which is how you tell this fever.',
      'I will have the cold boxes open at the lock. Do not dawdle over the paperwork.',
      'Then I shall go on boiling sheets and hoping. I am better at sheets.',
      'The lower ring is complaining again. It is the loveliest noise.',
    ],
  ],
  [
    'work_gloves_and_boots',
    'Boots on the Deck',
    FOREMAN,
    1,
    [['boots', 37]],
    [
      'New gang starts at the bell and half of them came in slippers. Find me boots.',
      'Mixed sizes. They will swap, argue and settle it, like always.',
      'Slippers it is. If a toe turns up in the cargo, you never saw it.',
      'Every foot shod. You could march an army on this dock, if we ever owned one.',
    ],
  ],
  [
    'welders_hunger',
    'What Welders Eat',
    FOREMAN,
    2,
    [
      ['welding_rods', 60],
      ['cutting_torch', 1],
    ],
    [
      'The frame on berth four is held by clamps and my good word. I need rods.',
      'Sixty, dry. Wet ones spit, and the welders spit back.',
      'My good word holds till about supper. After that I would move your ship.',
      'Hear that fizz? That is a frame becoming somebody’s home.',
    ],
  ],
  [
    'loose_ends',
    'Loose Ends',
    FOREMAN,
    1,
    [
      ['fasteners', 60],
      ['toolchest', 3],
    ],
    [
      'Somebody counted the bolts on ring one and then would not tell me the number.',
      'Bring sixty. I would rather have ten left over than one left out.',
      'Right. I will walk ring one slowly, then.',
      'Tight as a purser. Nothing rattles now but the foreman.',
    ],
  ],
  [
    'slates_and_chalk',
    'Slates and Chalk',
    TEACHER,
    1,
    [
      ['school_kit', 11],
      ['paper_goods', 20],
    ],
    [
      'Twenty-three children and four slates. We do sums in shifts, like miners.',
      'They have asked me to ask you: do you have any with the edges still blank?',
      'We shall go on writing on the bulkhead. The bulkhead is getting quite educated.',
      'One of them has already drawn your ship. It has rather more guns than yours.',
    ],
  ],
  [
    'library_fire',
    'After the Library Burned',
    TEACHER,
    2,
    [['books', 22]],
    [
      'It was only one shelf, but it was all we had. Any books. Even the dull ones.',
      'The dull ones last longest, you know. Nobody wears them out.',
      'I am telling them the stories from memory. I have begun to change the endings.',
      'There. Paper, glue and other people’s lives. Sit down, if you have an hour.',
    ],
  ],
  [
    'plate_for_berth_nine',
    'Plate for Berth Nine',
    YARD,
    2,
    [['steel_plate', 37]],
    [
      'There is a hole in berth nine the shape of a careless freighter. I need steel.',
      'Standard plate. It has no feelings and a fine tensile strength.',
      'Then berth nine stays a window. The view is very good, if brief.',
      'Welded, ground and painted. Next time I am charging the freighter by the metre.',
    ],
  ],
  [
    'wire_for_the_lamps',
    'Wire for the Lamps',
    YARD,
    2,
    [
      ['copper_wire', 30],
      ['lamp_kit', 7],
    ],
    [
      'The long corridor has been dark a week. People are starting to like it. Bring wire.',
      'Lamps too. Light first, then we see who has been doing what in there.',
      'We will issue candles and instructions not to breathe.',
      'Lit from end to end. Two engagements and one theft have come to light.',
    ],
  ],
  [
    'hull_patch_shelf',
    'The Shelf by the Lock',
    YARD,
    2,
    [
      ['repair_kit', 8],
      ['hull_patch', 15],
    ],
    [
      'By every lock there should be a shelf of patches. Ours has a plant on it.',
      'I shall move the plant. It has become attached to the job.',
      'Let us hope the next leak is a small one, with patience.',
      'Shelf full, plant relocated. You will never know whose life that was. Nor will they.',
    ],
  ],
  [
    'soap_and_dignity',
    'Soap and Dignity',
    PURSER,
    1,
    [
      ['soap', 50],
      ['perfume', 5],
    ],
    [
      'We are out of soap. I have seated the two mining crews at opposite ends of the station.',
      'Fifty bars. I would kiss your hand, but you should wait until after.',
      'Then breathe through your mouth on the way out. Everybody does.',
      'The air handlers have just thanked you by name. So do the two mining crews.',
    ],
  ],
  [
    'coffee_failure',
    'A Failure of Coffee',
    PURSER,
    2,
    [['coffee_brick', 25]],
    [
      'At six this morning the last brick was ground. At seven the traffic desk began to weep.',
      'Quickly, please. They are landing ships by instinct.',
      'Then mind how you undock. Nobody up there is entirely awake.',
      'Do you smell that? That is competence, returning.',
    ],
  ],
  [
    'seed_for_bed_six',
    'Seed for Bed Six',
    GARDENER,
    2,
    [
      ['seed_stock', 13],
      ['fertilizer', 30],
    ],
    [
      'Bed six died of somebody’s cigar. I would like to give it another chance.',
      'Bless you. I will have the soil warm and the cigar man out of the way.',
      'Bed six has waited a month. It is better at waiting than I am.',
      'Come back in forty days and I will give you the first tomato. You will cry.',
    ],
  ],
  [
    'lamps_for_the_garden',
    'A Longer Noon',
    GARDENER,
    3,
    [['grow_lamp', 6]],
    [
      'Five of my lamps think it is always evening. The beans have grown romantic and thin.',
      'Handle them by the base. The glass remembers fingers.',
      'I shall read to the beans until you change your mind.',
      'Noon at last. Stand here a moment. Nobody has to be anywhere.',
    ],
  ],
  [
    'filters_and_coolant',
    'Warm Air, Cold Tempers',
    FOREMAN,
    3,
    [
      ['coolant', 25],
      ['heat_sink', 6],
    ],
    [
      'Ring three is thirty-four degrees. They have stopped wearing shirts and started on fights.',
      'Coolant and sinks, in that order. I will hold the peace with a hose.',
      'Then do not take ring three on your way back.',
      'Nineteen degrees and everybody is apologising. Some of them quite handsomely.',
    ],
  ],
  [
    'last_cells',
    'The Last Dozen Cells',
    PURSER,
    2,
    [['power_cell', 9]],
    [
      'The emergency locker holds eight cells. I looked. The emergency has already been.',
      'Eight will do. I sleep over that locker, you know. Literally.',
      'I shall leave a torch by my bed, then, and a short prayer.',
      'Full locker. If the lights go out tonight, they will be very brief about it.',
    ],
  ],
  [
    'frontier_water',
    'Water Is Thicker',
    WIDOW,
    3,
    [['water_tank', 7]],
    [
      'The ice hauler is three weeks late. I have begun to count my guests by the cup.',
      'Six tanks and I can stop watching people wash.',
      'No shame in it. Drink before you leave; I would rather give it than lock it up.',
      'First full cistern since the thaw. The first bath is yours, if you are quick.',
    ],
    { issuers: FRONTIER },
  ],
  [
    'frontier_tools',
    'Tools of Our Own',
    WIDOW,
    2,
    [
      ['hand_tools', 15],
      ['drill_bits', 8],
    ],
    [
      'Out here one spanner does for six families. We take turns being broken.',
      'Fifteen and some bits. We will engrave them so they wander less.',
      'Then it is my week without the spanner. Pull the door shut; it does not shut.',
      'Look at that rack. My husband built it the year he ordered the tools.',
    ],
    { issuers: FRONTIER },
  ],
  [
    'den_drinks',
    'Wetting the Den',
    FENCE,
    2,
    [['rim_whisky', 8]],
    [
      'My customers have money and no drink, which turns to no customers and no furniture.',
      'Whisky, love, not gin. Gin makes them sing about their mothers.',
      'Suit yourself. I will water what is left and sleep in the vault.',
      'Heavenly. I shall sell it as something twice its age, like everyone here.',
    ],
    { issuers: PIRATES_ONLY },
  ],
  [
    'den_patches',
    'No Questions at the Sickbay',
    FENCE,
    2,
    [
      ['bandages', 20],
      ['antibiotics', 19],
    ],
    [
      'Four came home from a quarrel with a convoy. Bring what stops leaks in people.',
      'No forms. If anyone asks, they all fell on the same stairs.',
      'Hard heart. Well, there is a market in boots tonight, at least.',
      'All four will live to be ungrateful. Here, before they see my purse.',
    ],
    { issuers: PIRATES_ONLY },
  ],
])
