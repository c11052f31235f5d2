/** Collections: goods that a whole region gives together, everybody as much as they like. */
import { atCapital, collections, FRONTIER, giver } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

export const COMMUNITY_MISSIONS: readonly MissionRow[] = collections([
  [
    'lamplighters_road',
    'The Lamplighters’ Road',
    giver('Ansel Dray', 'Warden of Beacons'),
    4,
    ['landing_beacon', 60],
    [
      'Sixty beacons between here and the border are dark, and past mending. Bring me new ones.',
      'Put them on the pile by the window. The pile is the whole plan.',
      'Then fly carefully. I say it to everybody; I should like to stop.',
      'The last lamp is lit. From the gallery one sees all of them, like a sentence.',
    ],
    { issuers: atCapital('solarian') },
  ],
  [
    'choir_of_cells',
    'A Choir of Cans',
    giver('Second Listener Oum', 'Keeper of the Quiet Reserve'),
    3,
    ['jerry_can', 600],
    [
      'The reserve for the stranded stands at nothing. Nothing is a very quiet number.',
      'Set each one down gently. They boom, and we like to hear who came.',
      'Silence, then. We are used to it.',
      'Six hundred, and the hall is loud with them. Somebody adrift will hear it.',
    ],
    { issuers: atCapital('voidborn') },
  ],
  [
    'wall_of_names',
    'The Wall of Names',
    giver('Marshal Brannoc Hale', 'Veteran of the Ninth'),
    4,
    ['girder_bundle', 200],
    [
      'Every girder takes fifteen names. I have three thousand names. Do the sum; bring steel.',
      'Plain steel. They were plain people.',
      'Then I shall write smaller.',
      'It stands. Run your hand along it once before you go; that is the fee.',
    ],
    { issuers: atCapital('crimson') },
  ],
  [
    'orchard_loan',
    'The Orchard Loan',
    giver('Ysolde Venn', 'Actuary of Gardens'),
    3,
    ['seed_stock', 400],
    [
      'I have sold shares in an orchard. I do not have an orchard. Seeds, quickly, from anyone.',
      'Into the drawer. Every drawer. I had faith in you, with interest.',
      'I understand. So will my creditors, at length.',
      'It germinates. So do the dividends. You are, legally, a tree.',
    ],
    { issuers: atCapital('nebula') },
  ],
  [
    'breathing_room',
    'Breathing Room',
    giver('Tam Rookwell', 'Hull Doctor'),
    3,
    ['deck_section', 60],
    [
      'New families, old hull. I can close Deck Nine for living in if everybody brings a section.',
      'Stack it anywhere it is cold. That is everywhere; that is the point.',
      'They will double up on Eight. They sing, on Eight. All night.',
      'Nine holds air. Come by: somebody has already painted a door.',
    ],
    { issuers: atCapital('outerrim') },
  ],
  [
    'long_table',
    'The Long Table',
    giver('Nan Corvo', 'Who Feeds People'),
    2,
    ['bread', 1_500],
    [
      'Once a year everybody out here eats at one table, a kilometre of it. It wants bread.',
      'Whatever you have. A crumb counts. I count the crumbs.',
      'Come anyway, and sit by somebody who brought some.',
      'Look down the length of it. That is everyone there is. Pass the salt.',
    ],
    { issuers: FRONTIER },
  ],
])
