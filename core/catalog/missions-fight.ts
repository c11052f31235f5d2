/** Bounties, patrols and hunts: missions to fight. */
import {
  bounties,
  count,
  dock,
  FRONTIER,
  giver,
  inEmpire,
  kill,
  tasks,
  visit,
} from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

const WARDEN = giver('Captain Ruth Almquist', 'Lane Warden')
const INSURER = giver('Pascal Thrupp', 'Loss Adjuster')
const CONVOY = giver('Mina Okonjo', 'Convoy Mother')
const MARSHAL = giver('Stellan Brask', 'Oath Marshal of the Watch')
const KEEPER = giver('Old Fenner', 'Keeper of the Lamp')
const SHEPHERD = giver('Dr. Amaranth Lisle', 'Field Naturalist')
const HARBOUR = giver('Ottoline Vasey', 'Harbourmaster')

const BOUNTIES = bounties([
  [
    'one_less_cutpurse',
    'One Less',
    WARDEN,
    2,
    ['T1', 1],
    [
      'Scouts are counting our freighters again. Somebody ought to spoil their arithmetic.',
      'One will do. The rest will hear of it. They gossip worse than dockers.',
      'Then they go on counting. I hope yours is not the number they like.',
      'One fewer at the lane mouth. It is remarkable how politely the others drift off.',
    ],
  ],
  [
    'clear_the_lane',
    'Clear the Lane',
    WARDEN,
    3,
    ['T1', 3],
    [
      'Three hulls sit where the lane opens, like cats round a mouse hole. Disperse them.',
      'Aim for the engines first. A pirate who cannot leave becomes very reasonable.',
      'The mice will be sorry to hear it.',
      'The lane is open. Four freighters went through before I finished my tea.',
    ],
  ],
  [
    'any_five',
    'Five of Anything',
    INSURER,
    4,
    [undefined, 5],
    [
      'My house paid out on nine hulls this quarter. Destroy five of theirs and I break even.',
      'Any five. I am not a connoisseur.',
      'Then I must raise the premiums. Yours, for example.',
      'Five. You may not know it, but you have lowered a rate by a tenth of a point.',
    ],
  ],
  [
    'raider_on_the_road',
    'Raider on the Road',
    CONVOY,
    4,
    ['T2', 1],
    [
      'A raider took the Marigold with all her cargo and left the crew in one suit. One suit.',
      'You will know the paint. They had no time to take her name off the stolen pods.',
      'I light a candle for each of mine. I am nearly out of candles.',
      'The Marigold’s girls want to buy you a drink. They have shared a suit; be gentle.',
    ],
  ],
  [
    'raiders_by_two',
    'They Hunt in Pairs',
    CONVOY,
    5,
    ['T2', 3],
    [
      'They hunt in pairs and rest in threes. I want three resting for good.',
      'Do not chase the first one. The first one is never the one.',
      'So we keep to convoys, and go at the pace of the slowest, and pray.',
      'Tonight we sail singly, with lights. You cannot think what that looks like.',
    ],
  ],
  [
    'the_enforcer',
    'Breaking the Arm',
    MARSHAL,
    7,
    ['T3', 1],
    [
      'An enforcer collects for the crews: fingers first, then ships. I want the arm broken.',
      'He carries a lance and a grudge. Stay out of reach of both.',
      'No shame. I have a wall of people who were braver than they were quick.',
      'Said is done. There are men here who count to ten again tonight, on their hands.',
    ],
    { requires: { skills: { weapons: 3 } } },
  ],
  [
    'two_enforcers',
    'The Collectors',
    MARSHAL,
    8,
    ['T3', 2],
    [
      'Two enforcers, one ledger, and every station on this border is in it.',
      'Kill the louder one last. He will be worth hearing by then.',
      'Then we pay again this month. I shall think of you at the counting.',
      'The ledger burned with them. I have never been so glad to lose a document.',
    ],
    { requires: { skills: { weapons: 6 } } },
  ],
  [
    'black_tithe',
    'The Black Tithe',
    WARDEN,
    10,
    ['boss', 1],
    [
      'Somewhere in a stronghold sits a hull as black as its trade. I have signed a large number.',
      'Take friends. If you have none, make some on the way; you will need to spend them.',
      'I did not think less of the last eleven, either.',
      'I told my children there was a monster, and that it is gone. They asked for your ship.',
    ],
    { requires: { skills: { weapons: 10 } }, items: { shield_cell: 4 } },
  ],
  [
    'lamp_country_law',
    'Lamp Country Law',
    KEEPER,
    3,
    ['T1', 2],
    [
      'We have no police. We have a lamp, a rope and whoever is passing. You are passing.',
      'Two of them shot out the lamp at the crossing. Shoot back, if you would.',
      'Mind the lamp on your way out. It is new. It is always new.',
      'Lamp is lit. Nobody thanked you, but somebody painted your hull number on the post.',
    ],
    { issuers: FRONTIER },
  ],
  [
    'harvest_watch',
    'The Harvest Watch',
    KEEPER,
    4,
    [undefined, 4],
    [
      'Harvest ships are slow and smell of bread. It draws them from three systems away.',
      'Four or so should teach the rest to like hard tack.',
      'Then we bring it in by night, and lose what we lose.',
      'All in, and not a sack short. There is a loaf with your name on it. Literally.',
    ],
    { issuers: FRONTIER },
  ],
])

const PATROLS = tasks(
  { type: 'patrol', skills: ['navigation', 'tactics'], hours: 12, perDifficulty: 1_250 },
  [
    [
      'walk_the_bounds',
      'Walk the Bounds',
      HARBOUR,
      4,
      [visit('near'), visit('near'), visit('near')],
      [
        'Once a season somebody flies the bounds, so that we know where we stop. Your turn.',
        'Three systems. Show our colours, look bored. Bored is the key to authority.',
        'I shall mark the bounds as presumed.',
        'Nobody shot, nobody saluted. That is what a border looks like when it works.',
      ],
    ],
    [
      'the_long_circuit',
      'The Long Circuit',
      HARBOUR,
      6,
      [visit('near'), visit('far'), visit('far')],
      [
        'The buoys report nothing. Either all is well or they have all failed. Go and look.',
        'Far out and back. Take a book, and somebody to quarrel with.',
        'We shall assume all is well. We usually do, until we do not.',
        'All lit but one, and that one was asleep? Buoys do not sleep. I will look into it.',
      ],
    ],
    [
      'beacon_round',
      'The Beacon Round',
      HARBOUR,
      5,
      [visit('near'), visit('near'), visit('far'), dock('near')],
      [
        'Three beacons and a signature from a neighbouring dock. It is older than the engine.',
        'They will offer you soup at the end. Accept it. That too is part of the round.',
        'The soup will get cold. It has done before.',
        'Signed, stamped and slightly stained with soup. All in order.',
      ],
    ],
    [
      'show_the_flag',
      'Show the Flag',
      MARSHAL,
      7,
      [visit('lawless'), visit('lawless'), kill(1)],
      [
        'They think we will not follow them home. Two of their systems, one of their ships.',
        'Fly slowly. It frightens them more than speed ever did.',
        'Then they are right about us for one more season.',
        'Said is done. They will tell that story to each other, and it will grow.',
      ],
      { issuers: inEmpire('crimson') },
    ],
    [
      'handshakes',
      'Handshakes',
      HARBOUR,
      4,
      [dock('near'), dock('near'), dock('near')],
      [
        'Three harbourmasters, three handshakes. It is what we have instead of treaties.',
        'Firm, dry, and let them speak first. They have had no visitors since the last one.',
        'I will send cards. Cards are not the same.',
        'All three write that you were civil. Two say thin. They will feed you next time.',
      ],
    ],
  ],
)

const HUNTS = tasks(
  { type: 'hunt', skills: ['weapons', 'xenobiology'], hours: 24, perDifficulty: 800 },
  [
    [
      'thin_the_herd',
      'Thin the Herd',
      SHEPHERD,
      3,
      [count('hunt_creature', 3)],
      [
        'They have bred past what the drift can feed. Three, taken cleanly, spare thirty.',
        'One at a time, and never the one that looks back at you. That is the mother.',
        'Then they starve, and I write it down. Writing it down is my whole profession.',
        'Thank you. I take no joy in it, and I see you did not either. That is why I asked.',
      ],
    ],
    [
      'one_for_science',
      'One for Science',
      SHEPHERD,
      2,
      [count('hunt_creature', 1)],
      [
        'I have a theory about their hearing and nothing to look into the ear of.',
        'A head shot would rather defeat the purpose.',
        'I shall go on theorising. It is cheaper, and everyone lives.',
        'Four ears. Four! I have to rewrite everything. This is the happiest day of my year.',
      ],
    ],
    [
      'the_man_eaters',
      'Something Ate the Tender',
      SHEPHERD,
      5,
      [count('hunt_creature', 6)],
      [
        'Something ate the fuel tender. All of it. It has told its friends about tenders.',
        'Six, and then stop. I do not want a war with a whole ecology.',
        'Then no tenders this month, and no fuel. We shall all stay and get acquainted.',
        'The new tender went out and came back whole. The pilot asked whom to kiss.',
      ],
    ],
  ],
)

export const FIGHT_MISSIONS: readonly MissionRow[] = [...BOUNTIES, ...PATROLS, ...HUNTS]
