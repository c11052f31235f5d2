/** Missions to escort a convoy: one row for each number of stops. */
import { giver, LAWFUL } from './mission-row.ts'
import type { MissionRow } from './mission-types.ts'

export const ESCORT_ID = 'convoy_escort'

const makeTemplate = (stops: number): MissionRow => ({
  template_id: ESCORT_ID,
  title: 'In Company',
  type: 'escort',
  difficulty: 4,
  giver: giver('Odile Marchetti', 'Convoy Marshal'),
  dialog: {
    offer:
      'They want it over there, and there are people in between. Fly with us; we are slow, but ' +
      'we are many crates.',
    accept: 'Be here when we cast off, and wherever we stop. Bring guns you like.',
    decline: 'Then we shall look larger than we are. It has worked before.',
    complete: 'Every crate, and every one of us. I shall say it was a quiet trip.',
  },
  objectives: [{ type: 'escort_convoy', quantity: stops }],
  credits: 0,
  creditsPerJump: 0,
  items: {},
  skills: ['navigation', 'weapons'],
  requires: {},
  provided: {},
  repeatable: true,
  ttlTicks: 1_080,
  issuers: LAWFUL,
})

const TEMPLATES = new Map<number, MissionRow>()

/** Returns the mission to escort a convoy to this many stops. */
export function escortTemplate(stops: number): MissionRow {
  const known = TEMPLATES.get(stops)
  if (known) return known
  const made = makeTemplate(stops)
  TEMPLATES.set(stops, made)
  return made
}
