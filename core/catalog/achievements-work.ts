/** Achievements of digging, making, building and taking apart. Numbers 50-99. */
import type { Series } from './achievement-row.ts'

export const WORK_SERIES: readonly Series[] = [
  {
    category: 'mining',
    counter: 'ore_mined',
    steps: [
      [50, 100, 'dust_on_the_glass', 'Dust on the Glass', 5, 'The first hold.'],
      [
        51,
        1_000,
        'rockhand',
        'Rockhand',
        10,
        'Stone has begun to look like money.',
        { credits: 50 },
      ],
      [
        ...([52, 10_000, 'belt_worn', 'Belt-Worn', 20] as const),
        'You hear the vein before the scanner does.',
        { credits: 100, skill_xp: { mining: 300 } },
      ],
      [
        ...([53, 100_000, 'moon_eater', 'Moon Eater', 40] as const),
        'Somewhere an orbit has shifted a little.',
        { credits: 250, emblem: 'bitten_moon' },
      ],
      [
        ...([54, 1_000_000, 'nothing_left_but_sky', 'Nothing Left but Sky', 80] as const),
        'A million units, and the belt still pretends to be full.',
        { credits: 500, title: 'Belt Sovereign', skill_xp: { mining: 5_000 } },
      ],
    ],
  },
  {
    category: 'mining',
    counter: 'deep_core_pois_discovered',
    steps: [
      [55, 1, 'under_pressure', 'Under Pressure', 15, 'Something hums below.'],
      [56, 5, 'core_listener', 'Core Listener', 30, 'Five hearts of stone.', { credits: 200 }],
      [
        ...([57, 20, 'cartographer_of_depths', 'Cartographer of Depths', 60] as const),
        'Your maps are drawn downwards.',
        { credits: 400, title: 'Depth Reader', skill_xp: { deep_core_mining: 1_000 } },
      ],
    ],
  },
  {
    category: 'crafting',
    counter: 'items_crafted',
    steps: [
      [58, 10, 'first_shavings', 'First Shavings', 5, 'It fits, nearly.'],
      [59, 100, 'bench_owner', 'Bench Owner', 10, 'The vice knows your grip.'],
      [
        ...([60, 1_000, 'tolerance_zero', 'Tolerance Zero', 20] as const),
        'Inspectors pass your crates by weight.',
        { credits: 100, skill_xp: { crafting: 300 } },
      ],
      [
        ...([61, 10_000, 'maker_of_makers', 'Maker of Makers', 40] as const),
        'Half the tools on this station were yours once.',
        { credits: 200 },
      ],
      [
        ...([62, 100_000, 'the_thousandfold_hand', 'The Thousandfold Hand', 80] as const),
        'If it has a thread, you have cut it.',
        { credits: 400, title: 'Master Artificer', emblem: 'open_hand' },
      ],
    ],
  },
  {
    category: 'industry',
    counter: 'facility_items_produced',
    steps: [
      [63, 100, 'the_line_moves', 'The Line Moves', 5, 'Somebody else’s hands, your order.'],
      [64, 10_000, 'three_shifts', 'Three Shifts', 20, 'The lamps over the line never cool.'],
      [
        65,
        1_000_000,
        'smoke_on_every_wind',
        'Smoke on Every Wind',
        60,
        'Supply is what you say it is.',
      ],
    ],
  },
  {
    category: 'industry',
    counter: 'facilities_built',
    steps: [
      [66, 1, 'ground_broken', 'Ground Broken', 10, 'A deed, a fence, a sign.'],
      [
        67,
        5,
        'landlord',
        'Landlord of Nothing Much',
        20,
        'Five rents, one smile.',
        { credits: 200 },
      ],
      [
        ...([68, 20, 'skyline', 'Skyline', 50] as const),
        'The station’s silhouette is partly yours.',
        { credits: 400, title: 'Industrialist', skill_xp: { corporation_management: 1_000 } },
      ],
    ],
  },
  {
    category: 'salvage',
    counter: 'wreck_items_looted',
    steps: [
      [69, 10, 'finders', 'Finders', 5, 'The owners were not using it.'],
      [70, 500, 'keepers', 'Keepers', 15, 'Your hold is full of other people’s plans.'],
      [71, 10_000, 'estate_of_the_void', 'Estate of the Void', 40, 'Heir to everybody.'],
    ],
  },
  {
    category: 'salvage',
    counter: 'wrecks_scrapped',
    steps: [
      [72, 1, 'cutting_torch', 'Cutting Torch', 5, 'Straight lines, mostly.'],
      [73, 10, 'breaker', 'Yard Breaker', 10, 'You know where the good plate is.', { credits: 75 }],
      [
        ...([74, 50, 'ribs_and_keels', 'Ribs and Keels', 25] as const),
        'A ship is only a slow way to store metal.',
        { credits: 150, skill_xp: { salvaging: 500 } },
      ],
      [
        ...([75, 250, 'undertaker_of_fleets', 'Undertaker of Fleets', 50] as const),
        'Admirals look away when you dock.',
        { credits: 300, title: 'Undertaker', emblem: 'bare_ribs' },
      ],
    ],
  },
  {
    category: 'salvage',
    counter: 'wrecks_sold',
    steps: [
      [76, 1, 'as_seen', 'As Seen', 5, 'No warranty was given.'],
      [
        77,
        25,
        'used_hulls',
        'Used Hulls, Fair Prices',
        20,
        'One careful captain.',
        { credits: 100 },
      ],
    ],
  },
  {
    category: 'salvage',
    counter: 'wrecks_emptied',
    steps: [
      [78, 1, 'last_crate', 'The Last Crate', 5, 'Nothing left but echoes.'],
      [79, 25, 'bone_picker', 'Bone Picker', 15, 'Even the screws.'],
      [80, 250, 'tide_of_the_dead', 'Tide of the Dead', 40, 'What drifts comes to you.'],
    ],
  },
  {
    category: 'missions',
    counter: 'missions_completed',
    steps: [
      [81, 1, 'word_kept', 'Word Kept', 5, 'You said you would.'],
      [82, 10, 'dependable', 'Dependable', 10, 'The board knows you.', { credits: 75 }],
      [
        ...([83, 50, 'ask_for_them', 'Ask for Them by Name', 20] as const),
        'Givers wait for your ship to dock.',
        { credits: 150 },
      ],
      [
        ...([84, 200, 'the_usual', 'The Usual', 40] as const),
        'Papers are signed before you sit down.',
        { credits: 300, emblem: 'sealed_letter' },
      ],
      [
        ...([85, 1_000, 'errand_of_stars', 'Errand of Stars', 80] as const),
        'A thousand favours, and the galaxy owes you one.',
        { credits: 500, title: 'The Reliable' },
      ],
    ],
  },
  {
    category: 'drones',
    counter: 'drone_actions',
    steps: [
      [86, 10, 'small_hands', 'Small Hands', 5, 'It did what the script said.'],
      [
        ...([87, 1_000, 'swarm_tutor', 'Swarm Tutor', 20] as const),
        'They have begun to anticipate you.',
        { credits: 100 },
      ],
      [
        ...([88, 25_000, 'many_from_one', 'Many from One', 50] as const),
        'You have not lifted a finger since spring.',
        { credits: 300, title: 'Swarmmaster', emblem: 'nine_dots' },
      ],
    ],
  },
]
