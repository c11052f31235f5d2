/** Seasonal missions: on every board of the region while the season lasts. */
import { giver, type SeasonLine, seasonal } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

const LINES: readonly SeasonLine[] = [
  [
    'season_ore_rush',
    'Feed the Second Furnace',
    giver('Hallam Prentice', 'Smelter’s Mate'),
    2,
    [
      ['titanium_ore', 60],
      ['drill_bits', 5],
    ],
    [
      'Two furnaces, one pile, and the pile is going down. Bring me dirt with metal in it.',
      'Straight to the chute. Mind the chute; it bites.',
      'Then I bank the fire and listen to the foreman. Thanks for nothing.',
      'Hear that roar? That is your ore, becoming somebody’s hull.',
    ],
    'ore_rush',
  ],
  [
    'season_grey_cough',
    'Deck by Deck',
    giver('Sister Ilse Marrow', 'Ward Nurse'),
    3,
    [
      ['antibiotics', 20],
      ['medical_supplies', 15],
    ],
    [
      'I have a deck of people breathing like old bellows. Antibiotics, please, and fast.',
      'I shall write your name on the door, where they can see somebody is coming.',
      'I understand. I shall not tell them.',
      'Listen. Nothing. Nobody on this deck is coughing. You did that.',
    ],
    'grey_cough',
  ],
  [
    'season_pirate_king',
    'A Crown Wants Denting',
    giver('Gunner Oda Strake', 'Keeper of the Battery'),
    3,
    [
      ['autocannon_rounds', 50],
      ['repair_kit', 6],
    ],
    [
      'He calls himself king. We call him range practice, but we are short of practice to fire.',
      'Crates by the hoist. The loud ones on the left.',
      'Then we shall throw bottles, and sing.',
      'Full lockers. Let him come and be crowned properly.',
    ],
    'pirate_king',
  ],
  [
    'season_great_harvest',
    'More Than We Can Eat',
    giver('Corin Ashby', 'Canner'),
    2,
    [
      ['biscuit_tin', 20],
      ['fertilizer', 30],
    ],
    [
      'I am up to the hatch in produce and out of tins. Nobody tells you plenty is also a disaster.',
      'Tins first. The smell is starting to have opinions.',
      'Then it all goes to the pigs, and we have no pigs.',
      'Sealed, stacked, labelled. Next winter somebody will bless a stranger.',
    ],
    'great_harvest',
  ],
  [
    'season_lantern_feast',
    'Light Every Window',
    giver('Marisol Quay', 'Mistress of Lanterns'),
    2,
    [
      ['lamp_kit', 12],
      ['festival_cake', 6],
    ],
    [
      'A thousand windows and I have lamps for seven hundred. Dark windows have sad people in them.',
      'And cake. One cannot hold a lantern and be sad with cake in the other hand.',
      'Then we shall leave the shutters down on Nine. They will notice.',
      'Look up from the dock as you leave. All thousand. That one is yours.',
    ],
    'lantern_feast',
  ],
  [
    'season_pilgrimage',
    'Feet and Bread',
    giver('Brother Wenlock', 'Who Walks in Front'),
    1,
    [
      ['rations', 45],
      ['boots', 20],
    ],
    [
      'We are four hundred and we set out with faith and sandwiches. The sandwiches are gone.',
      'Boots too, if you can. It is a long way to stand in line.',
      'Go well. We shall think kindly of you, on empty stomachs.',
      'Fed and shod. Whatever we find at the end, you have a share in it.',
    ],
    'pilgrimage',
  ],
  [
    'season_yard_boom',
    'Ribs for the Slip',
    giver('Yardmaster Pell Orrin', 'Head of Slip Four'),
    4,
    [
      ['hull_frame', 8],
      ['wiring_harness', 10],
    ],
    [
      'I have sold eleven hulls and I own the ribs of three. Frames, quickly, before the buyers count.',
      'Lay them in order of size. It looks like we planned it.',
      'Then I shall discover a strike, and hope they believe it.',
      'Keel laid, ribs up. She even looks like a ship, if you squint like a banker.',
    ],
    'yard_boom',
  ],
  [
    'season_dry_tanks',
    'The Last Needle Mark',
    giver('Jory Fenn', 'Pump Attendant'),
    2,
    [['fuel_cell', 30]],
    [
      'The gauge has a mark they painted as a joke. We are under the joke. Cells, please.',
      'I will take them one at a time, like a collection plate.',
      'Then nobody leaves, and everybody stays for supper. We have no supper either.',
      'Above the joke! Fill your tank, on your own money. It is the thought that counts.',
    ],
    'dry_tanks',
  ],
  [
    'season_ice_comet',
    'Somewhere to Put It',
    giver('Anders Thule', 'Chief of Collectors'),
    3,
    [
      ['insulation_rolls', 20],
      ['water_tank', 4],
    ],
    [
      'It is raining ice and I am out of places where ice stays ice. Insulation, tanks, anything with walls.',
      'Stack them in the cold bay. They are all cold bays now.',
      'Then the finest water in a century goes out of the vents. Pretty, though.',
      'Tight as a drum. We shall be drinking comet at my grandchildren’s weddings.',
    ],
    'ice_comet',
  ],
  [
    'season_blackout',
    'By Candle and Cable',
    giver('Nadia Verrill', 'Night Electrician'),
    3,
    [
      ['circuit_board', 12],
      ['power_cell', 6],
    ],
    [
      'I am rewiring a station with a torch in my teeth. Boards and cells, and speak slowly.',
      'Mmf. Thank you. Put them where I can see them. That is nowhere, so hand them to me.',
      'Mmf.',
      'There: lights. Do not look at the wiring. Nobody is ever to look at the wiring.',
    ],
    'blackout',
  ],
]

export const SEASON_MISSIONS: readonly MissionRow[] = seasonal(LINES)
