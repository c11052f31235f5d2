/** Achievements of learning. Numbers 170-204. */
import type { Series } from './achievement-row.ts'
import { SKILL_COUNTER } from './achievement-words.ts'

const skill = (id: string, steps: Series['steps']): Series => ({
  series: id,
  category: 'skills',
  counter: `${SKILL_COUNTER}${id}`,
  steps,
})

export const SKILL_SERIES: readonly Series[] = [
  skill('weapons', [
    [170, 10, 'weapons_adept', 'Gun Sense', 10, 'You know the weight of every round.'],
    [
      171,
      50,
      'weapons_master',
      'Point of Aim',
      50,
      'Nobody asks you to prove it.',
      { credits: 150 },
    ],
  ]),
  skill('navigation', [
    [172, 10, 'navigation_adept', 'Straight Lines', 10, 'You have stopped using the ruler.'],
    [
      173,
      50,
      'navigation_master',
      'Bent Space',
      50,
      'The shortest way is the one you take.',
      { credits: 150 },
    ],
  ]),
  skill('mining', [
    [174, 10, 'mining_adept', 'Stone Reader', 10, 'Rock answers if you knock well.'],
    [175, 50, 'mining_master', 'Deep Grain', 50, 'You can taste the assay.', { credits: 150 }],
  ]),
  skill('trading', [
    [176, 10, 'trading_adept', 'Price Memory', 10, 'You dream in spreads.'],
    [177, 50, 'trading_master', 'The Turn of the Book', 50, 'You felt it before the tape did.'],
  ]),
  skill('crafting', [
    [178, 10, 'crafting_adept', 'Steady Bench', 10, 'No more spare screws.'],
    [179, 50, 'crafting_master', 'Blind Fit', 50, 'Hands first, drawings later.', { credits: 150 }],
  ]),
  skill('refining', [
    [180, 10, 'refining_adept', 'True Melt', 10, 'You judge the heat by colour.'],
    [
      181,
      50,
      'refining_master',
      'Clear Crucible',
      50,
      'Slag is a thing that happens to others.',
      { credits: 150 },
    ],
  ]),
  skill('salvaging', [
    [182, 10, 'salvaging_adept', 'Good Bones', 10, 'You see the ship in the wreck.'],
    [
      183,
      50,
      'salvaging_master',
      'Second Harvest',
      50,
      'There is always one more crate.',
      { credits: 150 },
    ],
  ]),
  skill('scanning', [
    [184, 10, 'scanning_adept', 'Long Ear', 10, 'The noise has parts.'],
    [
      185,
      50,
      'scanning_master',
      'Whisper Catcher',
      50,
      'You hear the ones who hold their breath.',
      { credits: 150 },
    ],
  ]),
  skill('engineering', [
    [186, 10, 'engineering_adept', 'Quiet Engine', 10, 'She runs on less and says nothing.'],
    [
      187,
      50,
      'engineering_master',
      'Borrowed Power',
      50,
      'The reactor thanks you, in its way.',
      { credits: 150 },
    ],
  ]),
  skill('drone_control', [
    [188, 10, 'drone_control_adept', 'Two at Once', 10, 'Neither hit the wall.'],
    [189, 50, 'drone_control_master', 'Chorus', 50, 'They move when you think.', { credits: 150 }],
  ]),
  skill('exploration', [
    [190, 10, 'exploration_adept', 'Beyond the Buoy', 10, 'You left the marked water.'],
    [
      191,
      50,
      'exploration_master',
      'Outer Compass',
      50,
      'North is where you say.',
      { credits: 150 },
    ],
  ]),
  skill('piloting', [
    [192, 10, 'piloting_adept', 'Light Hands', 10, 'The dock crew stopped ducking.'],
    [193, 50, 'piloting_master', 'Hull as Skin', 50, 'You feel the paint.', { credits: 150 }],
  ]),
  skill('leadership', [
    [194, 10, 'leadership_adept', 'Second Voice', 10, 'They waited for your word.'],
    [195, 50, 'leadership_master', 'Standing Order', 50, 'They no longer need to hear it.'],
  ]),
  skill('stealth', [
    [196, 10, 'stealth_adept', 'Soft Wake', 10, 'You left no trail worth following.'],
    [197, 50, 'stealth_master', 'Absence', 50, 'The stars go on where you are.', { credits: 150 }],
  ]),
  skill('xenobiology', [
    [198, 10, 'xenobiology_adept', 'Careful Knife', 10, 'You know which end is which.'],
    [
      199,
      50,
      'xenobiology_master',
      'Old Anatomies',
      50,
      'It has four hearts. You need the third.',
      { credits: 150 },
    ],
  ]),
  skill('corporation_management', [
    [200, 10, 'corporation_management_adept', 'Rent on Time', 10, 'Everything was paid by noon.'],
    [
      201,
      50,
      'corporation_management_master',
      'Board of One',
      50,
      'The motion carries.',
      { credits: 150 },
    ],
  ]),
  {
    category: 'skills',
    counter: 'skill_levels_gained',
    steps: [
      [202, 25, 'quick_study', 'Quick Study', 10, 'You were told it would take longer.'],
      [203, 100, 'journeyman_of_everything', 'Journeyman of Everything', 30, 'Useful anywhere.'],
      [
        204,
        500,
        'polymath',
        'Polymath',
        80,
        'The academy wants to study you back.',
        { title: 'Polymath', emblem: 'seven_rings' },
      ],
    ],
  },
]
