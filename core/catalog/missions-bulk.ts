/** Errands with bulk goods: parcels, crates, bales, pallets, containers and bargeloads. */
import { couriers, giver, LAWFUL } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

const POST = giver('Wilhelmina Roke', 'Postmistress')
const CLERK = giver('Anselm Brode', 'Clerk of the Court')
const PRIEST = giver('Brother Quillon', 'Chaplain of the Long Dock')
const TEACHER = giver('Maud Ferrier', 'Schoolmistress, Ring Two')
const SURVEYOR = giver('Ilka Venn', 'Surveyor')
const ENGINEER = giver('Yusra Temple', 'Reactor Engineer')
const GARDENER = giver('Tobit Greer', 'Keeper of the Gardens')
const FOREMAN = giver('Bryn Tallow', 'Dock Foreman')
const PURSER = giver('Leonie Strand', 'Purser')

const PARCELS = couriers([
  [
    'the_winter_post',
    'The Winter Post',
    POST,
    2,
    ['winter_parcel', 30, 'near'],
    [
      'Thirty parcels, all soft. It is a poor winter that nobody has knitted for.',
      'Squeeze them if you like. Everybody does. It is always socks.',
      'Then thirty people shall be brave about it until spring.',
      'Thirty pairs of warm feet. One of them sent back a single glove, with thanks.',
    ],
  ],
  [
    'head_count',
    'Head Count',
    CLERK,
    3,
    ['census_form', 30, 'capital'],
    [
      'We have counted ourselves, and the capital would like the answer. It is in thirty bundles.',
      'Do not add anybody. Do not take anybody away. It has taken us two years.',
      'We shall go on being about four thousand, then. More or less. Mostly less.',
      'They have found the twins twice and my uncle not at all. A fine result.',
    ],
    { issuers: LAWFUL },
  ],
  [
    'what_they_saved',
    'What They Saved',
    PRIEST,
    4,
    ['keepsake_box', 30, 'far'],
    [
      'They left the old ring in eleven minutes, with a box each. Their boxes went astray. Here.',
      'They are light. I have not looked inside, and neither will you.',
      'They have waited a year. They have not asked. That is the hard part of it.',
      'One of them opened hers at the dock, shut it again, and held your sleeve. Yes. That is all.',
    ],
  ],
])

const CRATES = couriers([
  [
    'ninety_desks',
    'Ninety Desks',
    TEACHER,
    3,
    ['school_desk', 90, 'near'],
    [
      'A school down the lanes has doubled. The children sit on each other and call it sharing.',
      'They fold flat. The lids bite. I have lost a fingernail and a prefect.',
      'They will share, then. Last week it was measles.',
      'All ninety, in rows, for almost a minute. She says that it was a beautiful minute.',
    ],
  ],
  [
    'a_century_of_quarrels',
    'A Century of Quarrels',
    CLERK,
    3,
    ['court_archive_box', 90, 'capital'],
    [
      'The high court has called in our archive. Ninety boxes. Most of it is about one fence.',
      'Keep them in order. If they arrive out of order, it counts as a new case.',
      'Then the fence stands. It has outlived four judges; it is used to it.',
      'Received, stamped and opened. They have asked what a fence is for, out here. Ha!',
    ],
    { issuers: LAWFUL },
  ],
  [
    'the_travelling_museum',
    'The Travelling Museum',
    SURVEYOR,
    5,
    ['museum_crate', 90, 'far'],
    [
      'A museum that tours. Ninety crates, and an opening at the far end that is already late.',
      'The big one is a whale. Nobody there has seen a whale. Nobody here has, really.',
      'We will unpack it and charge for a second look. Nobody came to the first.',
      'They queued right round the ring. A boy asked the whale what it had been for.',
    ],
  ],
])

/** Errands with more than the hold of a starter ship takes. */
const BALES = couriers([
  [
    'blankets_for_the_dark_ring',
    'Blankets for the Dark Ring',
    PRIEST,
    3,
    ['field_blanket', 150, 'near'],
    [
      'Their heating went on Tuesday. We have a hundred and fifty blankets and a bad conscience.',
      'They smell of mothballs. Tell them that it is the smell of being thought of.',
      'They have moved into the bakery, all of them. The baker has begun to give names to the queue.',
      'All warm. They have sent three back, folded, for whoever is next.',
    ],
  ],
  [
    'the_vintage_goes_home',
    'The Vintage Goes Home',
    PURSER,
    3,
    ['bottled_year', 150, 'capital'],
    [
      'A good year, they tell me, and the capital has ordered all of it. We kept one. Two.',
      'Lying down, all of them. Them, I mean. You may sit.',
      'Then it grows another year older in my store, and I grow another year thirstier.',
      'A hundred and fifty, and not a cork out. They have asked whether you are quite well.',
    ],
    { issuers: LAWFUL },
  ],
  [
    'the_massed_choirs',
    'The Massed Choirs',
    TEACHER,
    5,
    ['choir_robe', 150, 'far'],
    [
      'Nine choirs meet at the far end of nowhere, and every robe they own was left in my laundry.',
      'Hang them if you can. A creased alto is a thing one does not forget.',
      'They will sing in what they came in. Half of them came in pressure suits.',
      'I have a recording. You can hear the sleeves, all at once, like a great bird sitting down.',
    ],
  ],
])

const PALLETS = couriers([
  [
    'bricks_for_the_cold_wall',
    'Bricks for the Cold Wall',
    ENGINEER,
    3,
    ['wall_brick', 400, 'near'],
    [
      'A neighbour runs a reactor behind a curtain. I have seen the curtain. It is floral.',
      'They are heavy and they do nothing. That is the whole virtue of a brick.',
      'Then I shall write to them again about standing behind it.',
      'Two courses thick, and not one flower. I have slept since Tuesday.',
    ],
  ],
  [
    'four_hundred_holes',
    'Four Hundred Holes',
    SURVEYOR,
    4,
    ['drill_core', 400, 'far'],
    [
      'We drilled them all, we logged them all, and the one laboratory is eight days away.',
      'Mind the labels. Without its label a core is a very long pebble.',
      'I will lick one, then, and guess. It is the old way. It tastes of the old way.',
      'Hole ninety-one. They would not say what, but they have bought the moon it was in.',
    ],
  ],
  [
    'the_orchard_moves',
    'The Orchard Moves',
    GARDENER,
    5,
    ['orchard_sapling', 400, 'near'],
    [
      'They have built a dome and forgotten to put anything in it. I can spare an orchard.',
      'Water them, and talk of something pleasant. They have never been away from home.',
      'They may stay. I had only just told them. They took it better than I did.',
      'Two of them have a leaf. I have it in writing, and I have had the writing framed.',
    ],
  ],
])

const CONTAINERS = couriers([
  [
    'grain_not_to_be_eaten',
    'Grain Not to Be Eaten',
    GARDENER,
    3,
    ['reserve_grain', 700, 'near'],
    [
      'Every station keeps a year of grain for the bad year. The next one had its bad year.',
      'Count it at both ends. It is not that I doubt you. It is that it is grain.',
      'Then I lie awake for two stations. I was good at it when I was younger.',
      'Their bins are full and their baker is weeping. He may not touch it, you see.',
    ],
  ],
  [
    'a_town_in_boxes',
    'A Town in Boxes',
    FOREMAN,
    4,
    ['town_crate', 700, 'far'],
    [
      'That is a town. That stack is the street, that is the pump, and the church is in two halves.',
      'Last town I sent, they put the tavern up first and needed no help after that.',
      'They can go on living in the ship. They say one gets fond of the pipes.',
      'Standing, all of it. The church faces the wrong way; they have moved the sunrise.',
    ],
  ],
  [
    'the_palace_by_thursday',
    'The Palace by Thursday',
    PURSER,
    5,
    ['stage_flat', 700, 'capital'],
    [
      'The opera has sold every seat for a palace, and the palace is in my dock. It is in bits.',
      'Paint side in. And do not lean on the balcony: nobody has ever leaned on it twice.',
      'They will sing it in front of a curtain. It has a hole. The tenor has been told.',
      'Curtain up, gasp, applause; and that was before anybody had sung. They bowed to the wall.',
    ],
  ],
])

const BARGELOADS = couriers([
  [
    'a_ship_in_slices',
    'A Ship in Slices',
    FOREMAN,
    3,
    ['hull_rib', 1_200, 'near'],
    [
      'The yard next door has the order, we have the ribs. Twelve hundred, and they all look alike.',
      'The numbers are on the inside. Yes. We know. We found that out as well.',
      'Then she stays flat for another season. She has been very patient.',
      'All twelve hundred. They have put her up without a spare, and are still counting again.',
    ],
  ],
  [
    'the_moor_moves_house',
    'The Moor Moves House',
    GARDENER,
    4,
    ['peat_block', 1_200, 'far'],
    [
      'I was asked for a moor, out where the stones are still new. It is cut, stacked and damp.',
      'Keep it wet. If anything croaks, that is in the price.',
      'They will have gravel, then, and call it a garden, and be brave about it.',
      'They laid it out and stood on it. It gave a little. Two of them had to sit down.',
    ],
  ],
  [
    'seats_for_the_parade',
    'Seats for the Parade',
    PURSER,
    5,
    ['parade_bench', 1_200, 'capital'],
    [
      'The capital marches next week and has nowhere to sit. I have twelve hundred benches.',
      'Do not let anybody try one. They sit down, they sigh, and you have lost the morning.',
      'They can stand, and be proud of it for about an hour.',
      'Every seat taken, an hour early. They cheered the sweepers. They cheered everything.',
    ],
  ],
])

export const BULK_MISSIONS: readonly MissionRow[] = [
  ...PARCELS,
  ...CRATES,
  ...BALES,
  ...PALLETS,
  ...CONTAINERS,
  ...BARGELOADS,
]
