/** Achievements of travel, trade, ships and company. Numbers 100-169. */
import type { Series } from './achievement-row.ts'

export const ROAD_SERIES: readonly Series[] = [
  {
    category: 'exploration',
    counter: 'systems_visited',
    steps: [
      [100, 5, 'past_the_porch', 'Past the Porch', 5, 'Home is a direction now.'],
      [101, 25, 'wanderer', 'Wanderer', 10, 'Customs has run out of stamps.', { credits: 75 }],
      [
        102,
        100,
        'hundred_suns',
        'A Hundred Suns',
        25,
        'You tell them apart by their shadows.',
        { credits: 150, skill_xp: { exploration: 500 } },
      ],
      [
        103,
        250,
        'half_the_sky',
        'Half the Sky',
        50,
        'The other half has heard of you.',
        { credits: 300, emblem: 'half_disc' },
      ],
      [
        104,
        500,
        'no_blank_maps',
        'No Blank Maps',
        90,
        'There used to be dragons drawn here.',
        { credits: 500, title: 'Far Cartographer', skill_xp: { exploration: 5_000 } },
      ],
    ],
  },
  {
    category: 'exploration',
    counter: 'jumps_completed',
    steps: [
      [105, 10, 'used_to_it', 'Used to It', 5, 'The tea stays in the cup.'],
      [106, 100, 'lane_worn', 'Lane-Worn', 10, 'You nap through transitions.', { credits: 50 }],
      [
        107,
        1_000,
        'thousand_doors',
        'A Thousand Doors',
        30,
        'All of them yours.',
        { credits: 150 },
      ],
      [
        108,
        5_000,
        'between_places',
        'Between Places',
        60,
        'You have spent a year in no system at all.',
        { credits: 300, title: 'Lanewalker', skill_xp: { navigation: 3_000 } },
      ],
    ],
  },
  {
    category: 'exploration',
    counter: 'distance_traveled',
    steps: [
      [109, 1_000, 'long_leash', 'Long Leash', 5, 'A thousand GU behind you.'],
      [110, 10_000, 'farther_still', 'Farther Still', 20, 'The pilot seat fits.', { credits: 75 }],
      [
        111,
        100_000,
        'light_is_late',
        'Light Is Late',
        50,
        'What you left has not yet seen you go.',
        { credits: 200, emblem: 'long_line' },
      ],
    ],
  },
  {
    category: 'exploration',
    counter: 'times_docked',
    steps: [
      [112, 10, 'clamps_engaged', 'Clamps Engaged', 5, 'Only one scratch.'],
      [113, 100, 'harbour_face', 'Harbour Face', 10, 'They keep your berth swept.'],
      [114, 1_000, 'every_port_a_cousin', 'Every Port a Cousin', 30, 'You know all the cats.'],
    ],
  },
  {
    category: 'exploration',
    counter: 'scans_performed',
    steps: [
      [115, 10, 'curious', 'Curious', 5, 'Who is that?'],
      [116, 100, 'second_look', 'Second Look', 10, 'You find what others fly past.'],
      [117, 1_000, 'open_eye', 'The Open Eye', 30, 'You have not blinked in months.'],
    ],
  },
  {
    category: 'exploration',
    counter: 'surveys_made',
    steps: [
      [118, 1, 'sounding_line', 'Sounding Line', 5, 'Drop it, count, wait.'],
      [119, 25, 'patient_ear', 'Patient Ear', 15, 'Silence has a texture.'],
      [120, 200, 'nothing_hides', 'Nothing Hides', 40, 'It only waits for you.'],
    ],
  },
  {
    category: 'stealth',
    counter: 'cloak_activations',
    steps: [
      [121, 1, 'not_here', 'Not Here', 5, 'Nobody saw you earn this.'],
      [122, 50, 'rumour', 'Rumour', 20, 'Some doubt that you exist.'],
    ],
  },
  {
    category: 'stealth',
    counter: 'customs_evaded',
    steps: [
      [123, 1, 'nothing_to_declare', 'Nothing to Declare', 10, 'A smile is not contraband.'],
      [124, 25, 'false_bottom', 'False Bottom', 30, 'It has a false bottom of its own.'],
    ],
  },
]

export const TRADE_SERIES: readonly Series[] = [
  {
    category: 'trading',
    counter: 'exchange_items_sold',
    steps: [
      [125, 100, 'market_stall', 'Market Stall', 5, 'Somebody wanted it.'],
      [126, 10_000, 'wholesaler', 'Wholesaler', 20, 'You count in pallets.'],
      [127, 1_000_000, 'the_supply_side', 'The Supply Side', 60, 'Prices fall when you yawn.'],
    ],
  },
  {
    category: 'trading',
    counter: 'exchange_items_bought',
    steps: [
      [128, 100, 'shopping_list', 'Shopping List', 5, 'And milk.'],
      [129, 10_000, 'the_demand_side', 'The Demand Side', 25, 'Miners wake up for you.'],
    ],
  },
  {
    category: 'trading',
    counter: 'exchange_credits_earned',
    steps: [
      [130, 10_000, 'black_ink', 'Black Ink', 5, 'The column adds up.'],
      [131, 250_000, 'market_maker', 'Market Maker', 15, 'You are both sides of the joke.'],
      [132, 5_000_000, 'house_of_trade', 'House of Trade', 40, 'Bankers rise when you enter.'],
      [
        133,
        100_000_000,
        'the_invisible_hand',
        'The Invisible Hand',
        90,
        'Everybody feels it. Nobody shakes it.',
        { title: 'Merchant Prince', emblem: 'balance' },
      ],
    ],
  },
  {
    category: 'trading',
    counter: 'credits_earned',
    steps: [
      [134, 10_000, 'solvent', 'Solvent', 5, 'The air is paid for.'],
      [135, 1_000_000, 'comfortable', 'Comfortable', 25, 'You have stopped reading bills.'],
      [136, 100_000_000, 'old_money', 'Old Money', 80, 'It was new when you earned it.'],
    ],
  },
  {
    category: 'trading',
    counter: 'contraband_sold',
    steps: [
      [137, 10, 'under_the_table', 'Under the Table', 10, 'It is a sturdy table.'],
      [138, 500, 'night_market', 'Night Market', 35, 'You close when the sun comes up.'],
    ],
  },
  {
    category: 'trading',
    counter: 'trades_completed',
    steps: [
      [139, 1, 'handshake', 'Handshake', 5, 'Glove to glove.'],
      [140, 25, 'fair_dealer', 'Fair Dealer', 15, 'Both sides thought they won.'],
    ],
  },
  {
    category: 'trading',
    counter: 'tax_prepaid',
    steps: [[141, 1_000, 'model_citizen', 'Model Citizen', 10, 'The office framed your receipt.']],
  },
]

export const SHIP_SERIES: readonly Series[] = [
  {
    category: 'ships',
    counter: 'modules_installed',
    steps: [
      [142, 5, 'tinkerer', 'Tinkerer', 5, 'There were screws left over.'],
      [143, 50, 'refitter', 'Compulsive Refitter', 20, 'She was finished yesterday, too.'],
    ],
  },
  {
    category: 'ships',
    counter: 'ships_purchased',
    steps: [
      [144, 1, 'second_keel', 'Second Keel', 5, 'She handles like a promise.'],
      [145, 5, 'hangar_trouble', 'Hangar Trouble', 20, 'You forget which is where.'],
    ],
  },
  {
    category: 'ships',
    counter: 'ships_commissioned',
    steps: [
      [146, 1, 'laid_down', 'Laid Down', 15, 'Built to your drawings.'],
      [147, 5, 'private_yard', 'Friend of the Yard', 30, 'They save you plate.', { credits: 200 }],
      [
        148,
        15,
        'fleet_architect',
        'Fleet Architect',
        60,
        'There is a line named after you in the register.',
        { credits: 400, title: 'Fleet Architect', emblem: 'drafting_arc' },
      ],
    ],
  },
  {
    category: 'ships',
    counter: 'insurance_policies_bought',
    steps: [
      [149, 1, 'prudent', 'Prudent', 5, 'Just in case.'],
      [150, 10, 'actuarial_outlier', 'Actuarial Outlier', 15, 'They asked you to stop.'],
    ],
  },
  {
    category: 'ships',
    counter: 'consumables_used',
    steps: [
      [151, 10, 'break_glass', 'Break Glass', 5, 'This was the emergency.'],
      [152, 200, 'well_stocked', 'Well Stocked', 20, 'The locker rattles no more.'],
    ],
  },
]

export const COMPANY_SERIES: readonly Series[] = [
  {
    category: 'company',
    counter: 'repairs_given',
    steps: [
      [153, 1, 'passing_wrench', 'Passing Wrench', 10, 'You need not have stopped.'],
      [154, 25, 'roadside_saint', 'Roadside Saint', 30, 'No charge, no name.'],
    ],
  },
  {
    category: 'company',
    counter: 'refuels_given',
    steps: [
      [155, 1, 'spare_can', 'Spare Can', 10, 'Enough to get home on.'],
      [156, 25, 'lamp_in_the_dark', 'Lamp in the Dark', 30, 'They steer for your beacon.'],
    ],
  },
  {
    category: 'company',
    counter: 'captains_log_entries',
    steps: [
      [157, 1, 'log_begun', 'Log, First Entry', 5, 'It was an uneventful day.'],
      [158, 50, 'memoirist', 'Memoirist', 15, 'Volume three needs a villain.'],
    ],
  },
  {
    category: 'company',
    counter: 'chat_messages_sent',
    steps: [
      [159, 1, 'open_channel', 'Open Channel', 5, 'Hello, anybody.'],
      [160, 500, 'voice_on_the_band', 'Voice on the Band', 15, 'They miss you when you sleep.'],
    ],
  },
  {
    category: 'company',
    counter: 'forum_posts_created',
    steps: [
      [161, 1, 'for_the_record', 'For the Record', 5, 'Somebody will disagree.'],
      [162, 25, 'pamphleteer', 'Pamphleteer', 15, 'Quoted, often wrongly.'],
    ],
  },
  {
    category: 'company',
    counter: 'gifts_sent',
    steps: [
      [163, 1, 'with_compliments', 'With Compliments', 5, 'No occasion at all.'],
      [164, 25, 'ribbon_supplier', 'Ribbon Supplier', 15, 'Every locker has a card of yours.'],
    ],
  },
  {
    category: 'company',
    counter: 'credits_gifted',
    steps: [[165, 100_000, 'open_purse', 'Open Purse', 25, 'It closed again, eventually.']],
  },
  {
    category: 'company',
    counter: 'factions_founded',
    steps: [[166, 1, 'four_letters', 'Four Letters', 10, 'A tag, a name, an argument.']],
  },
  {
    category: 'company',
    counter: 'fleet_jumps_led',
    steps: [
      [167, 5, 'follow_me', 'Follow Me', 10, 'They did.'],
      [168, 100, 'convoy_master', 'Convoy Master', 35, 'You count the lights behind you.'],
    ],
  },
]
