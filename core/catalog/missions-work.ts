/** Work missions: mining, crafting, selling, recycling and surveying. */
import { count, craft, giver, mine, sell, tasks } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

const DIGGER = giver('Hob Carraway', 'Shift Boss')
const ASSAYER = giver('Sunniva Roe', 'Assayer')
const MAKER = giver('Ludo Finch', 'Master of the Workshop')
const BROKER = giver('Clementine Aske', 'Broker')
const BREAKER = giver('Gus Mallory', 'Shipbreaker')
const CHARTIST = giver('Ephraim Toll', 'Chartmaker')
const WATCH = giver('Nadine Orrey', 'Traffic Watch')
const MINER = { modules: ['mining'] }

const MINING = tasks({ type: 'mining', skills: ['mining'], hours: 12, perDifficulty: 1_000 }, [
  [
    'iron_for_the_furnace',
    'Feed the Furnace',
    DIGGER,
    1,
    [mine('iron_ore', 30)],
    [
      'A furnace that goes out takes four days to sulk back to heat. Keep it fed.',
      'Iron, red as you can find it. Sell it where you like; I am paid by the ton dug.',
      'I will tell it you were busy. It will not care.',
      'Hear her roar. That is a contented animal, that is.',
    ],
    { requires: MINER },
  ],
  [
    'copper_veins',
    'Green Hands',
    DIGGER,
    1,
    [mine('copper_ore', 25)],
    [
      'You can tell a copper man by his hands. Ours are all pink. Dig some, for pity’s sake.',
      'Nodules, not dust. Dust gets in the tea.',
      'Pink hands it is.',
      'Look at you. Green to the wrists. Welcome to the trade.',
    ],
    { requires: MINER },
  ],
  [
    'nickel_quota',
    'The Nickel Quota',
    DIGGER,
    2,
    [mine('nickel_ore', 40)],
    [
      'The quota is forty and we have thirty-nine excuses. Dig it for us.',
      'Dull stuff. Bring a song.',
      'Then I shall need a fortieth excuse by the bell.',
      'Forty. I threw the excuses out of the lock. One came back. It was a good one.',
    ],
    { requires: MINER },
  ],
  [
    'carbon_black',
    'Black as Your Hat',
    DIGGER,
    2,
    [mine('carbon_ore', 45)],
    [
      'The weavers want carbon, and will not touch it till someone else has washed.',
      'You will be finding it in your ears at your own funeral.',
      'I do not blame you. I have been sneezing grey since I was nine.',
      'The weavers send thanks and a bar of soap. It is a small bar.',
    ],
    { requires: MINER },
  ],
  [
    'light_metal',
    'Light Work',
    ASSAYER,
    2,
    [mine('aluminum_ore', 40)],
    [
      'I have a buyer who weighs every rivet. Aluminum, and no pebbles in it.',
      'I will find any pebbles. I always do. It is a gift and it has cost me friends.',
      'Pity. You have a steady look.',
      'Not one pebble. I checked twice, from spite.',
    ],
    { requires: MINER },
  ],
  [
    'glass_rubble',
    'Before It Was Glass',
    ASSAYER,
    2,
    [mine('silicate_ore', 40)],
    [
      'Every window you ever looked through was rubble once. I need more rubble.',
      'Any colour. It all comes out looking like whatever is behind it.',
      'Then somebody looks at a wall a while longer.',
      'Clean and sharp. Some of this will see sunrises.',
    ],
    { requires: MINER },
  ],
  [
    'titanium_dare',
    'The Stubborn Sand',
    ASSAYER,
    4,
    [mine('titanium_ore', 25)],
    [
      'Titanium sand. It fights the drill, the crusher and the clerk. I pay for the fight.',
      'If the bit screams, ease off. If you scream, ease off sooner.',
      'Sensible. It has ruined better drills than yours.',
      'That is fine grey sand. I could look at it all evening. I shall.',
    ],
    { requires: MINER },
  ],
  [
    'two_metals',
    'One of Each',
    ASSAYER,
    3,
    [mine('tin_ore', 20), mine('zinc_ore', 20)],
    [
      'An old wager: is the tin here better than the zinc? Dig me twenty of each.',
      'Label the sacks. The last man did not, and we are still not speaking.',
      'The wager has run thirty years. It can run another week.',
      'The tin. Definitely the tin. Do not tell Carraway.',
    ],
    { requires: MINER },
  ],
])

const MAKING = tasks(
  { type: 'crafting', skills: ['crafting', 'refining'], hours: 24, perDifficulty: 1_200 },
  [
    [
      'first_ingots',
      'First Ingots',
      MAKER,
      1,
      [craft('iron_ingot', 20)],
      [
        'Anybody can buy iron. I want to know who can make it. Twenty ingots.',
        'If they ring, they are good. If they thud, start again and say nothing.',
        'There is always the counter, if you would rather serve than make.',
        'They ring. Hear that? That is your name, in iron.',
      ],
    ],
    [
      'plate_work',
      'Flat Is Hard',
      MAKER,
      2,
      [craft('steel_plate', 15)],
      [
        'Flat is the hardest shape there is. Make me fifteen of it.',
        'Measure corner to corner. Then have somebody you dislike measure it.',
        'Curves are easier. So is excuse-making.',
        'Flat as a tax clerk. I could weep, but it would pool.',
      ],
    ],
    [
      'wire_drawing',
      'The Long Thin Job',
      MAKER,
      1,
      [craft('copper_wire', 25)],
      [
        'Drawing wire is patience you can measure in metres. Draw me some.',
        'Slow. Slower. If you are bored you are nearly slow enough.',
        'Not everyone has the temperament. I had to be taught it twice.',
        'Not a kink in it. You must have been extremely bored. Well done.',
      ],
    ],
    [
      'board_master',
      'Small Rivers',
      MAKER,
      4,
      [craft('circuit_board', 8)],
      [
        'A board is a map of small rivers. I want eight, and no floods.',
        'Clean hands. Held breath. No opinions until it is cool.',
        'My apprentice will try. We have a bucket of sand ready for him.',
        'Every river runs to its sea. Sit down. You have earned the good stool.',
      ],
    ],
    [
      'glass_blowing',
      'Something to Look Through',
      MAKER,
      2,
      [craft('glass_pane', 20)],
      [
        'Twenty panes, without bubbles. The bubbles are where the laziness gets in.',
        'Let it cool by itself. You cannot hurry glass. You can only break it.',
        'There will be boards in the windows, then, and speeches.',
        'I nearly walked into one. Highest praise there is.',
      ],
    ],
    [
      'parts_is_parts',
      'Parts Is Parts',
      MAKER,
      4,
      [craft('machine_parts', 12)],
      [
        'Every machine here is waiting for a part, and every part is waiting for a machine.',
        'Twelve, to the drawing. Not near the drawing. To it.',
        'Then they all go on waiting, very expensively.',
        'Twelve machines have just cleared their throats.',
      ],
    ],
  ],
)

const TRADING = tasks({ type: 'trade', skills: ['trading'], hours: 12, perDifficulty: 400 }, [
  [
    'make_a_market',
    'Make a Market',
    BROKER,
    2,
    [count('place_order', 3)],
    [
      'Our board is thin. A thin board frightens people. Place three orders and calm them.',
      'Buy, sell, I hardly mind. It is the look of the thing.',
      'Then I shall stand by it and cough encouragingly.',
      'See how they cluster round. Nothing draws a crowd like somebody else’s opinion.',
    ],
  ],
  [
    'ore_at_the_counter',
    'Ore at the Counter',
    BROKER,
    2,
    [sell('iron_ore', 40)],
    [
      'The smelters blame the brokers and the brokers blame the smelters. Sell some iron ore.',
      'At any exchange you like. Let the price find its feet.',
      'Then we go on blaming each other. It passes the time.',
      'Forty units and not one cross word. Unheard of. Sign here.',
    ],
  ],
  [
    'ration_glut',
    'The Ration Glut',
    BROKER,
    2,
    [sell('rations', 40)],
    [
      'Somebody overbought rations and I should rather not say who, because I am blushing.',
      'Sell forty wherever they are hungry. Do not mention me.',
      'I shall be eating beige until the spring.',
      'Discreetly done. I have put something in for your silence.',
    ],
  ],
  [
    'metal_week',
    'Metal Week',
    BROKER,
    3,
    [sell('iron_ingot', 25), sell('copper_wire', 20)],
    [
      'The League calls it Metal Week. Everybody sells metal and pretends it is tradition.',
      'Ingots and wire. Wear something with buttons, if you own it.',
      'Then there will be a gap in the parade where you were.',
      'A fine week. Next comes Cheese Week. I would stay away.',
    ],
  ],
])

const WRECKS = tasks({ type: 'salvage', skills: ['salvaging'], hours: 24, perDifficulty: 1_200 }, [
  [
    'clean_lanes',
    'Somebody’s Litter',
    BREAKER,
    2,
    [count('salvage_wreck', 1)],
    [
      'Wrecks are only litter with a history. Empty one, sell one, take one apart. Your pick.',
      'Knock before you go in. Yes, I know. Knock anyway.',
      'They will still be there. That is the trouble with them.',
      'Good tidy work. The history I will keep for myself.',
    ],
  ],
  [
    'three_hulks',
    'Three Hulks',
    BREAKER,
    4,
    [count('salvage_wreck', 3)],
    [
      'Three, and I can pay my people. Two, and I can pay my people and not me.',
      'Mind sharp edges, live lines and cats. There is often a cat.',
      'Then we sweep the yard again. It is a very clean yard.',
      'All paid, me included. There was a cat. She has your bunk now, in spirit.',
    ],
  ],
  [
    'five_graves',
    'Field Day',
    BREAKER,
    6,
    [count('salvage_wreck', 5)],
    [
      'There was a battle. There is always a battle. Five of the leavings, if you will.',
      'If you find a name, write it down and bring it to me. I keep a wall.',
      'The crews will have them, then, and they keep no wall.',
      'Five. I have put up two new names. Somebody was wondering. They can stop.',
    ],
  ],
])

const LOOKING = tasks(
  { type: 'exploration', skills: ['scanning', 'exploration'], hours: 12, perDifficulty: 1_100 },
  [
    [
      'who_goes_there',
      'Who Goes There',
      WATCH,
      2,
      [count('scan_target', 3)],
      [
        'Half of what docks here lies about its name. Scan three ships and tell me what they are.',
        'Politely. A scan is a stare, and some people shoot at staring.',
        'I will go on believing the paint.',
        'One honest, one late with his fees, and one that is a different ship entirely. Lovely.',
      ],
    ],
    [
      'ten_faces',
      'Ten Faces',
      WATCH,
      4,
      [count('scan_target', 10)],
      [
        'I am building a register of every hull on this road. Ten more and I can see a pattern.',
        'I shall not say what pattern. If I am wrong it is slander.',
        'The pattern stays a feeling, then. I have had those before.',
        'There it is. Same hull, four names. I was not wrong. Close the door, please.',
      ],
    ],
    [
      'look_again',
      'Look Again',
      CHARTIST,
      3,
      [count('survey_system', 2)],
      [
        'Everything I drew is right and nothing I drew is complete. Survey any two systems.',
        'Go slow. The interesting things keep very still.',
        'Then the chart keeps its blank bits, and the blank bits keep their secrets.',
        'Two systems looked at properly. You would not believe how rare that is.',
      ],
      { requires: { modules: ['scanner'] } },
    ],
    [
      'margins_of_the_map',
      'Margins of the Map',
      CHARTIST,
      5,
      [count('survey_system', 5)],
      [
        'My predecessor filled the margins with sea serpents. I should like to use facts.',
        'Five systems. Draw me a serpent if you see one. I am open-minded.',
        'Serpents it remains. They are well drawn, at any rate.',
        'Facts to the very edge. I left one serpent. He is small, and he is waving.',
      ],
      { requires: { modules: ['scanner'] } },
    ],
  ],
)

export const WORK_MISSIONS: readonly MissionRow[] = [
  ...MINING,
  ...MAKING,
  ...TRADING,
  ...WRECKS,
  ...LOOKING,
]
