/** Achievements: what players and factions have done, named, and paid for once. */
import { assert } from '../../core/assert.ts'
import type { DomainDef } from '../../core/registry.ts'
import { featsHold, featsPaid } from './checks.ts'
import { FACTION_EARNED, FactionFeats, PLAYER_EARNED, PlayerFeats } from './columns.ts'
import { achievementUnlocked } from './events.ts'
import { forgetEarned } from './observers.ts'
import { getAchievements, getFactionAchievements } from './queries.ts'
import { KINDS, rebuildMarks } from './rules.ts'
import { unlock } from './systems.ts'

/** The server does not start with definitions that nothing can fulfil. */
for (const { book, words } of KINDS) {
  for (const { id, no, criteria, after } of book.rows) {
    assert(no < 32 * words, `achievement ${id}: there is no bit ${no}`)
    assert(after === undefined || book.byId.has(after), `achievement ${id} comes after nothing`)
    assert(
      criteria.some(([, op]) => op === '>='),
      `achievement ${id} waits for no rise`,
    )
    const isKnown = criteria.every(([counter]) => book.counters.has(counter))
    assert(isKnown, `achievement ${id} names an unknown counter`)
  }
}

export const achievementDomain: DomainDef = {
  name: 'achievement',
  tables: [PlayerFeats, FactionFeats],
  records: [PLAYER_EARNED, FACTION_EARNED],
  commands: [getAchievements, getFactionAchievements],
  events: [achievementUnlocked],
  systems: [unlock],
  checks: [featsHold, featsPaid],
  observers: [forgetEarned],
  rebuild: rebuildMarks,
}
