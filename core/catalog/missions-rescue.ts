/** Missions to answer a distress signal: one row per type of signal. */
import { giver, LAWFUL, type Talk } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

type Call = readonly [type: 'fuel' | 'repair' | 'combat', title: string, skill: string, talk: Talk]

const CALLS: readonly Call[] = [
  [
    'fuel',
    'A Dry Tank',
    'piloting',
    [
      'My gauge has been honest with me, which I resent. Somebody with a pump, please.',
      'I shall leave the lamps on. It is all I have left to leave on.',
      'Understood. I shall burn the furniture.',
      'You are a good sight, and a better smell: fuel.',
    ],
  ],
  [
    'repair',
    'Holes in the Hull',
    'engineering',
    [
      'I have counted the holes. There are more of them than of me.',
      'Bring foam, plate, and if you own one, patience.',
      'Then I go on holding my breath.',
      'It holds. I had begun to name the draughts.',
    ],
  ],
  [
    'combat',
    'Under Fire',
    'tactics',
    [
      'They are not listening to reason, and I have no more of it to fire.',
      'Come in loud. They should look at you instead.',
      'Then at least tell it as if I had been winning.',
      'They saw your lamps and remembered an appointment. So shall I, one day.',
    ],
  ],
]

export const RESCUE_MISSIONS: readonly MissionRow[] = CALLS.map(([type, title, skill, talk]) => ({
  template_id: `distress_${type}`,
  title,
  type: 'rescue',
  difficulty: 2,
  giver: giver('A pilot in distress', 'On the emergency channel'),
  dialog: { offer: talk[0], accept: talk[1], decline: talk[2], complete: talk[3] },
  objectives: [{ type: 'rescue', quantity: 1 }],
  credits: 0,
  creditsPerJump: 0,
  items: {},
  skills: [skill],
  requires: {},
  provided: {},
  repeatable: false,
  ttlTicks: 180,
  issuers: LAWFUL,
  kind: 'rescue',
}))
