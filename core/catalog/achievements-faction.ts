/** Achievements of factions: what members did while they belonged. Numbered separately. */
import type { Series, Single } from './achievement-row.ts'

export const FACTION_SERIES: readonly Series[] = [
  {
    category: 'company',
    counter: 'members',
    steps: [
      [0, 3, 'a_table_full', 'A Table Full', 5, 'Enough for an argument.'],
      [1, 10, 'two_watches', 'Two Watches', 15, 'Somebody is always awake.'],
      [
        2,
        50,
        'a_small_nation',
        'A Small Nation',
        50,
        'There is talk of a flag.',
        { emblem: 'banner' },
      ],
    ],
  },
  {
    category: 'wealth',
    counter: 'treasury',
    steps: [
      [3, 10_000, 'petty_cash', 'Petty Cash', 5, 'The tin is locked now.'],
      [4, 250_000, 'counting_room', 'Counting Room', 20, 'It has a door, and a guard.'],
      [
        5,
        10_000_000,
        'reserve_currency',
        'Reserve Currency',
        60,
        'Empires borrow quietly.',
        { title: 'The Bank', emblem: 'stacked_coins' },
      ],
    ],
  },
  {
    category: 'industry',
    counter: 'facilities',
    steps: [
      [6, 1, 'common_roof', 'Common Roof', 10, 'It leaks, but it is ours.'],
      [7, 10, 'company_town', 'Company Town', 30, 'Whole corridors wear the colours.'],
    ],
  },
  {
    category: 'company',
    counter: 'roles',
    steps: [
      [8, 1, 'a_word_for_it', 'A Word for It', 5, 'Somebody had to be in charge of that.'],
      [9, 5, 'org_chart', 'The Chart on the Wall', 15, 'Arrows in four colours.'],
    ],
  },
  {
    category: 'combat',
    counter: 'pirates_destroyed',
    steps: [
      [10, 25, 'neighbourhood_watch', 'Neighbourhood Watch', 10, 'The lanes noticed.'],
      [11, 500, 'free_escort', 'Free Escort', 35, 'Traders time their sailings by you.'],
      [
        12,
        5_000,
        'peace_of_the_guns',
        'Peace of the Guns',
        80,
        'Pirate radio plays your anthem, to scare the young ones.',
        { title: 'Wardens', emblem: 'crossed_lamps' },
      ],
    ],
  },
  {
    category: 'combat',
    counter: 'ships_destroyed',
    steps: [
      [13, 50, 'common_cause', 'Common Cause', 10, 'You shoot in the same direction.'],
      [14, 1_000, 'standing_navy', 'Standing Navy', 50, 'Nobody calls it a club any more.'],
    ],
  },
  {
    category: 'combat',
    counter: 'damage_dealt',
    steps: [
      [15, 100_000, 'broadside', 'Broadside', 15, 'All together, on the word.'],
      [16, 10_000_000, 'artillery_school', 'Artillery School', 60, 'Others send their cadets.'],
    ],
  },
  {
    category: 'combat',
    counter: 'bases_destroyed',
    steps: [
      [17, 1, 'the_gate_fell', 'The Gate Fell', 30, 'It had stood for a long time.'],
      [18, 10, 'wall_breakers', 'Wall Breakers', 70, 'Ten gates.', { title: 'Wall Breakers' }],
    ],
  },
  {
    category: 'combat',
    counter: 'ships_captured',
    steps: [[19, 10, 'prize_court', 'Prize Court', 35, 'The division of spoils takes a day.']],
  },
  {
    category: 'hunting',
    counter: 'creatures_hunted',
    steps: [
      [20, 50, 'hunting_lodge', 'Hunting Lodge', 10, 'The trophies do not fit the wall.'],
      [21, 1_000, 'great_hunt', 'The Great Hunt', 40, 'Songs, feasts, and a shortage of bait.'],
    ],
  },
  {
    category: 'mining',
    counter: 'ore_mined',
    steps: [
      [22, 10_000, 'shared_shovel', 'Shared Shovel', 10, 'Everyone took a turn.'],
      [23, 500_000, 'the_big_dig', 'The Big Dig', 35, 'You can see it from the next system.'],
      [
        24,
        10_000_000,
        'belts_unbuckled',
        'Belts Unbuckled',
        80,
        'Astronomers have filed a complaint.',
        { title: 'Quarrylords', emblem: 'pick_and_star' },
      ],
    ],
  },
  {
    category: 'crafting',
    counter: 'items_crafted',
    steps: [
      [25, 1_000, 'guild_mark', 'Guild Mark', 10, 'Stamped on the underside.'],
      [26, 100_000, 'workshop_of_the_age', 'Workshop of the Age', 50, 'Copied everywhere, badly.'],
    ],
  },
  {
    category: 'missions',
    counter: 'missions_completed',
    steps: [
      [27, 50, 'for_hire', 'For Hire', 10, 'References on request.'],
      [28, 1_000, 'contractors', 'Contractors', 40, 'The board is posted to you first.'],
    ],
  },
  {
    category: 'exploration',
    counter: 'jumps_completed',
    steps: [
      [29, 500, 'well_travelled', 'Well Travelled', 10, 'Postcards on every bulkhead.'],
      [30, 25_000, 'a_people_of_the_lanes', 'A People of the Lanes', 50, 'Home moves with you.'],
    ],
  },
  {
    category: 'exploration',
    counter: 'systems_visited',
    steps: [
      [31, 100, 'pooled_charts', 'Pooled Charts', 10, 'Only one of them was upside down.'],
      [
        32,
        2_000,
        'the_great_atlas',
        'The Great Atlas',
        50,
        'Bound in hull plate.',
        { emblem: 'atlas' },
      ],
    ],
  },
  {
    category: 'mining',
    counter: 'deep_core_pois_discovered',
    steps: [[33, 25, 'under_many_skins', 'Under Many Skins', 35, 'You know what worlds hum.']],
  },
  {
    category: 'salvage',
    counter: 'wrecks_emptied',
    steps: [
      [34, 25, 'rag_and_bone', 'Rag and Bone', 10, 'Waste not.'],
      [35, 1_000, 'tidy_galaxy', 'A Tidy Galaxy', 40, 'You leave it as you would find it.'],
    ],
  },
  {
    category: 'trading',
    counter: 'exchange_credits_earned',
    steps: [
      [36, 1_000_000, 'trading_company', 'Trading Company', 20, 'Chartered by nobody.'],
      [37, 100_000_000, 'cartel', 'Not a Cartel', 70, 'You have a letter that says so.'],
    ],
  },
  {
    category: 'company',
    counter: 'fleet_jumps_led',
    steps: [
      [38, 50, 'in_formation', 'In Formation', 10, 'Nobody touched.'],
      [
        39,
        2_500,
        'the_long_column',
        'The Long Column',
        45,
        'The last ship leaves as the first lands.',
      ],
    ],
  },
]

export const FACTION_SINGLES: readonly Single[] = [
  {
    no: 40,
    id: 'all_hands',
    name: 'All Hands',
    category: 'industry',
    points: 40,
    description: 'Dug, made, carried and guarded under one tag.',
    criteria: [
      ['ore_mined', '>=', 50_000],
      ['items_crafted', '>=', 5_000],
      ['missions_completed', '>=', 200],
      ['pirates_destroyed', '>=', 100],
    ],
    rewards: { title: 'The Whole Crew' },
  },
  {
    no: 41,
    id: 'phoenix_charter',
    name: 'Phoenix Charter',
    category: 'company',
    points: 30,
    description: 'A hundred ships lost, and still recruiting.',
    criteria: [
      ['times_destroyed', '>=', 100],
      ['members', '>=', 5],
    ],
    secret: true,
    rewards: { emblem: 'ash_wing' },
  },
  {
    no: 42,
    id: 'no_losses',
    name: 'The Careful Company',
    category: 'combat',
    points: 45,
    description: 'A hundred pirates down, and every seat at the table filled.',
    criteria: [
      ['pirates_destroyed', '>=', 100],
      ['times_destroyed', '<=', 0],
    ],
    secret: true,
    rewards: { title: 'The Careful Company' },
  },
]
