/** Story missions: told once to each player, step by step, at capitals and on the frontier. */
import {
  atCapital,
  count,
  craft,
  deliver,
  dock,
  giver,
  kill,
  LAWFUL,
  mine,
  type Talk,
  tasks,
  visit,
} from './mission-row.ts'
import type { Giver, IssuerRule, MissionRow, ObjectiveRow } from './mission-types.ts'

type Step = readonly [
  id: string,
  title: string,
  difficulty: number,
  what: readonly ObjectiveRow[],
  talk: Talk,
]

/** Returns the missions of a story: each unlocks the next. */
function story(from: Giver, issuers: IssuerRule, steps: readonly Step[]): MissionRow[] {
  const kind = { type: 'story', skills: ['exploration'], hours: 72, perDifficulty: 1_500 } as const
  return tasks(
    { ...kind, issuers, repeatable: false },
    steps.map(([id, title, difficulty, what, talk], index) => {
      const before = index === 0 ? {} : { requires: { completed: [steps[index - 1][0]] } }
      const next = index + 1 < steps.length ? { next: steps[index + 1][0] } : {}
      return [id, title, from, difficulty, what, talk, { ...before, ...next }]
    }),
  )
}

const SEVENTH_CLAUSE = story(
  giver('Livia Senn', 'Archivist of the Concordance'),
  atCapital('solarian'),
  [
    [
      'seventh_clause_1',
      'The Seventh Clause: A Missing Page',
      2,
      [dock('near'), dock('near')],
      [
        'Seven colonies signed. I have six pages. Ask at two registries who has the seventh.',
        'Do not mention me. Say you are lost. Nobody lies to the lost.',
        'It has been missing for three centuries. I can keep the lamp on.',
        'Both registries say it burned. In different fires. How interesting.',
      ],
    ],
    [
      'seventh_clause_2',
      'The Seventh Clause: The Wrong Fire',
      4,
      [visit('far'), visit('far')],
      [
        'Two fires, two dates, and a courier who flew between them. Follow his road for me.',
        'He never arrived, on paper. Paper is where I live, so I notice.',
        'Very well. I shall follow it with a finger, on the chart.',
        'A cairn of hull plates, with a seal scratched in it. He got farther than they wrote.',
      ],
    ],
    [
      'seventh_clause_3',
      'The Seventh Clause: What Was Written',
      6,
      [dock('far'), deliver('paper_goods', 20, 'here')],
      [
        'An old house far out holds his satchel. Look at it, and bring me paper to copy it on.',
        'Plain paper, twenty reams. If I am right, everybody will want a copy.',
        'Then it stays a rumour, which is the politest form of burial.',
        'The seventh clause reads: any of us may leave. That is all. Sit down with me a while.',
      ],
    ],
  ],
)

const STILL_VOICE = story(
  giver('Orrin Hael', 'Listener of the Third Watch'),
  atCapital('voidborn'),
  [
    [
      'still_voice_1',
      'The Still Voice: Nine Hours',
      2,
      [count('survey_system', 1)],
      [
        'In nine hours of silence there is one breath that is not ours. Survey, and listen.',
        'Any system. It is not where you listen. It is how long.',
        'Then I will listen alone. I am used to it. That is the trouble.',
        'You heard it too. I was afraid you would say so, and more afraid you would not.',
      ],
    ],
    [
      'still_voice_2',
      'The Still Voice: The Second Ear',
      4,
      [visit('near'), visit('far'), visit('lawless')],
      [
        'Two ears find a direction. Three find a place. Be my ears in three places.',
        'Engines cold, lights out. If anything answers, do not answer it back.',
        'I have two ears. I shall sit farther apart from myself.',
        'It is moving. Slowly, at the speed of our first ships. Exactly at that speed.',
      ],
    ],
    [
      'still_voice_3',
      'The Still Voice: Crew List',
      6,
      [visit('lawless'), deliver('flight_recorder', 1, 'here')],
      [
        'One ark was never found. Go to the dark it passed, and bring any recorder that will play.',
        'They are sold as scrap. They are the last words of people. Bid what you must.',
        'Then it passes, and we were asleep, as they were.',
        'A lullaby. In the old tongue, in my grandmother’s voice. They are still singing.',
      ],
    ],
  ],
)

const BROKEN_OATH = story(giver('Hild Varrok', 'Keeper of Oaths'), atCapital('crimson'), [
  [
    'broken_oath_1',
    'The Broken Oath: A Name Struck Out',
    3,
    [kill(2)],
    [
      'A name is struck from my wall and nobody recalls the blade. First show me yours is sharp.',
      'Two of the lawless. I do not send the soft to ask hard questions.',
      'Then you are wise, or a coward. The wall has room for both.',
      'Good. Now I may tell you the name: Torva Rend. Do not say it in the street.',
    ],
  ],
  [
    'broken_oath_2',
    'The Broken Oath: Iron Remembers',
    5,
    [mine('iron_ore', 40), craft('iron_ingot', 20)],
    [
      'She swore on iron from her own hand. Dig it, smelt it; then we swear as she swore.',
      'It must be yours from stone to bar. Bought iron remembers only coin.',
      'The forge is patient. It has been lit for two hundred years.',
      'Hold it. Still warm. Now I will read you what she swore, and to whom.',
    ],
  ],
  [
    'broken_oath_3',
    'The Broken Oath: Said Is Done',
    7,
    [kill(1, 'T2'), dock('far')],
    [
      'She swore to guard a road until relieved. Nobody relieved her. Clear it, and reach its end.',
      'There is an old post at the far dock. Put your hand on it for her.',
      'Then she stands there still. Said is done, and nobody has said otherwise.',
      'She never broke it. We did. I have cut her name again, above mine.',
    ],
  ],
])

const LONG_LEDGER = story(giver('Fabrizio Tulle', 'Auditor-in-Ordinary'), atCapital('nebula'), [
  [
    'long_ledger_1',
    'The Long Ledger: One Credit Out',
    2,
    [count('place_order', 2), dock('near')],
    [
      'The League is out by one credit. It has been for ninety years. Trade a little; watch it.',
      'Place two orders, visit a neighbour’s counting house. Keep every receipt.',
      'One credit. You would not think a man could lose sleep over it, would you?',
      'Your receipts are perfect, and we are now out by two. Splendid. It is alive.',
    ],
  ],
  [
    'long_ledger_2',
    'The Long Ledger: The Rounding House',
    4,
    [deliver('ink_and_paint', 15, 'here'), deliver('paper_goods', 15, 'here')],
    [
      'I mean to recompute ninety years by hand. I shall want ink, paper and no visitors.',
      'Fifteen and fifteen. And, if you love me, coffee, though I did not write it down.',
      'I shall do it on the walls, then. It has been done. He was quite famous.',
      'Found it! A clerk rounded down. For everybody, for ever, into one small account.',
    ],
  ],
  [
    'long_ledger_3',
    'The Long Ledger: Everything Arrives',
    6,
    [dock('far'), dock('capital')],
    [
      'The account has an heir. Go and see the house, then see what the capital says of it.',
      'Be courteous. You are calling on the richest person who does not know it.',
      'Then it goes on growing in the dark, like something in a cellar.',
      'She runs a soup kitchen. She asked me to leave the rounding as it is. I have.',
    ],
  ],
])

const FIRST_LAMP = story(giver('Marigold Tench', 'Lampwright'), atCapital('outerrim'), [
  [
    'first_lamp_1',
    'The First Lamp: Wick and Glass',
    2,
    [deliver('lamp_kit', 4, 'here')],
    [
      'They say the first lamp is still lit, out where nobody goes. I want to build its twin.',
      'Four kits. I shall take them apart and be rude about them, and use the good bits.',
      'I have waited sixty years. You would be surprised how it keeps you spry.',
      'Decent brass, wicked little screws. Yes. These will remember being stars.',
    ],
  ],
  [
    'first_lamp_2',
    'The First Lamp: Ask the Road',
    4,
    [dock('near'), visit('far'), visit('far')],
    [
      'The road out has forgotten where it goes. Ask at a dock, then look where they point.',
      'If two people tell you different ways, take the one that frightens them.',
      'Well, the road is not going anywhere. That is rather my complaint.',
      'Ash, swept in a circle, and a cup left out. Somebody minds it still.',
    ],
  ],
  [
    'first_lamp_3',
    'The First Lamp: Mind the Lamp',
    6,
    [visit('lawless'), deliver('cooking_oil', 20, 'here')],
    [
      'It stands past the last law. See it for me, since my knees cannot; then bring oil.',
      'Do not blow on it, do not touch it, and say good evening.',
      'Then I die curious. There are worse things to die of.',
      'You said good evening? And it flickered. Ha! Light that one, child. It is yours.',
    ],
  ],
])

const NEW_PILOT = story(giver('Sergeant Ida Crewe', 'Instructor of New Pilots'), LAWFUL, [
  [
    'new_pilot_1',
    'New Pilot: Knock on a Door',
    1,
    [dock('near')],
    [
      'Lesson one. Fly to the next dock, tie up, and do not hit anything you cannot pay for.',
      'Slow at the lock. Fast is for people being chased.',
      'The seat stays warm. Come back when your hands have stopped shaking.',
      'Tied up, nobody sued. You would be amazed how many fail that.',
    ],
  ],
  [
    'new_pilot_2',
    'New Pilot: Earn Your Fuel',
    1,
    [mine('iron_ore', 15)],
    [
      'Lesson two. Nothing out there is free except rock, and the rock has to be asked.',
      'Fifteen of iron. Point the loud end away from yourself.',
      'Then you will be borrowing fuel. Lenders are lesson nine. Avoid lesson nine.',
      'There. You could do that until you die and never starve. Do not, though.',
    ],
  ],
  [
    'new_pilot_3',
    'New Pilot: See Something',
    2,
    [visit('near'), visit('near')],
    [
      'Lesson three. Go and look at two places for no reason. It is the whole of the job.',
      'Write down one thing at each that is not in the catalogue.',
      'You will go in the end. Everybody who asks the price of fuel goes in the end.',
      'That is all I have to teach. The rest will try to kill you. Class dismissed.',
    ],
  ],
])

export const STORY_MISSIONS: readonly MissionRow[] = [
  ...SEVENTH_CLAUSE,
  ...STILL_VOICE,
  ...BROKEN_OATH,
  ...LONG_LEDGER,
  ...FIRST_LAMP,
  ...NEW_PILOT,
]
