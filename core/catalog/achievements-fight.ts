/** Achievements of war, hunting and escape. Numbers 0-49. */
import type { Series } from './achievement-row.ts'

export const FIGHT_SERIES: readonly Series[] = [
  {
    category: 'combat',
    counter: 'ships_destroyed',
    steps: [
      [0, 1, 'first_wake', 'First Wake', 5, 'Something stopped flying, and you were there.'],
      [1, 10, 'ten_silences', 'Ten Silences', 10, 'Ten transponders that answer no more.'],
      [2, 50, 'line_breaker', 'Line Breaker', 20, 'Formations have begun to open for you.'],
      [3, 250, 'scrapwright', 'Scrapwright', 40, 'Salvors ask where you mean to go next.'],
      [
        4,
        1_000,
        'night_ledger',
        'The Night Ledger',
        80,
        'A thousand names, and you remember the first.',
        { title: 'Keeper of the Night Ledger', emblem: 'closed_book' },
      ],
    ],
  },
  {
    category: 'combat',
    counter: 'pirates_destroyed',
    steps: [
      [5, 1, 'toll_refused', 'Toll Refused', 5, 'They asked. You declined.'],
      [6, 10, 'lane_warden', 'Lane Warden', 10, 'Freighters know your call sign.', { credits: 50 }],
      [
        7,
        50,
        'black_flag_burner',
        'Black Flag Burner',
        20,
        'Crews change their routes when you change yours.',
        { credits: 100, skill_xp: { bounty_hunting: 200 } },
      ],
      [
        8,
        200,
        'quiet_lanes',
        'Quiet Lanes',
        40,
        'Convoys sail here without guns again.',
        { credits: 200, emblem: 'broken_cutlass' },
      ],
      [
        9,
        1_000,
        'end_of_the_song',
        'End of the Song',
        80,
        'There is a shanty about you. It has no last verse.',
        { credits: 400, title: 'Songbreaker', skill_xp: { bounty_hunting: 2_000 } },
      ],
    ],
  },
  {
    category: 'combat',
    counter: 'npcs_destroyed',
    steps: [
      [10, 5, 'wrong_uniform', 'Wrong Uniform', 10, 'An empire has opened a file on you.'],
      [11, 50, 'enemy_of_order', 'Enemy of Order', 30, 'The file has its own shelf now.'],
    ],
  },
  {
    category: 'combat',
    counter: 'damage_dealt',
    steps: [
      [12, 1_000, 'warm_barrels', 'Warm Barrels', 5, 'The paint on the muzzles has blistered.'],
      [13, 50_000, 'hard_rain', 'Hard Rain', 20, 'They call the weather after you.'],
      [14, 1_000_000, 'sky_of_iron', 'Sky of Iron', 60, 'Enough to unmake a small moon.'],
    ],
  },
  {
    category: 'survival',
    counter: 'damage_taken',
    steps: [
      [15, 1_000, 'dents_and_stories', 'Dents and Stories', 5, 'Each dent has one. Some are true.'],
      [16, 50_000, 'still_holding_air', 'Still Holding Air', 25, 'The hull complains, and stays.'],
    ],
  },
  {
    category: 'survival',
    counter: 'battles_fled',
    steps: [
      [17, 1, 'better_part', 'The Better Part', 5, 'You lived to dispute who won.'],
      [18, 25, 'smoke_and_vector', 'Smoke and Vector', 20, 'Nobody has seen your bow in a fight.'],
    ],
  },
  {
    category: 'combat',
    counter: 'bases_destroyed',
    steps: [
      [19, 1, 'lights_out', 'Lights Out', 30, 'A station fell dark, deck by deck.'],
      [
        20,
        5,
        'siegewright',
        'Siegewright',
        60,
        'Architects study what you leave standing.',
        { credits: 500, title: 'Siegewright', emblem: 'split_tower' },
      ],
    ],
  },
  {
    category: 'combat',
    counter: 'bounty_earned',
    steps: [
      [21, 1_000, 'paid_by_the_head', 'Paid by the Head', 5, 'Honest work.'],
      [
        22,
        25_000,
        'standing_warrant',
        'Standing Warrant',
        20,
        'The clerk stamps your forms without reading them.',
        { credits: 150 },
      ],
      [
        23,
        250_000,
        'the_long_list',
        'The Long List',
        50,
        'It is shorter than it was.',
        { credits: 300, title: 'Bounty Marshal' },
      ],
    ],
  },
  {
    category: 'combat',
    counter: 'ships_captured',
    steps: [
      [24, 1, 'boots_across', 'Boots Across', 15, 'The airlock opened from your side.'],
      [25, 10, 'hull_collector', 'Hull Collector', 30, 'Shipyards ask what you use for money.'],
      [26, 50, 'ghost_quartermaster', 'Ghost Quartermaster', 60, 'Fifty crews walked home.'],
    ],
  },
  {
    category: 'combat',
    counter: 'arena_challenges_won',
    steps: [
      [27, 1, 'sand_and_static', 'Sand and Static', 5, 'The crowd learned your name.'],
      [
        28,
        10,
        'house_favourite',
        'House Favourite',
        20,
        'The odds on you are no fun any more.',
        { credits: 100 },
      ],
      [
        29,
        50,
        'against_the_house',
        'Against the House',
        40,
        'The house sends flowers, and harder machines.',
        { credits: 250, title: 'Ring Champion', emblem: 'bronze_ring' },
      ],
    ],
  },
  {
    category: 'hunting',
    counter: 'creatures_hunted',
    steps: [
      [30, 1, 'it_had_teeth', 'It Had Teeth', 5, 'They float very well now.'],
      [31, 10, 'tracker', 'Vacuum Tracker', 10, 'You can read a wake of spores.', { credits: 50 }],
      [
        32,
        100,
        'herd_thinner',
        'Herd Thinner',
        25,
        'The old bulls turn when they smell your drive.',
        { credits: 100, skill_xp: { xenobiology: 500 } },
      ],
      [
        33,
        500,
        'apex',
        'Apex',
        50,
        'There is nothing above you in the chain out here.',
        { credits: 250, title: 'Apex', emblem: 'ivory_arc' },
      ],
    ],
  },
  {
    category: 'survival',
    counter: 'times_destroyed',
    steps: [
      [34, 1, 'the_first_cold', 'The First Cold', 5, 'You woke at home and remembered.'],
      [35, 10, 'regular_at_the_vats', 'Regular at the Vats', 10, 'They keep your slippers warm.'],
      [36, 50, 'fifty_lives', 'Fifty Lives', 25, 'The clinic has named a corridor after you.'],
    ],
  },
  {
    category: 'survival',
    counter: 'void_drifts',
    steps: [
      [37, 1, 'off_the_chart', 'Off the Chart', 15, 'There was no lane. You went.'],
      [
        38,
        10,
        'dead_reckoner',
        'Dead Reckoner',
        40,
        'The dark has a grain, and you steer along it.',
        { credits: 150, emblem: 'lone_needle' },
      ],
    ],
  },
]
