/** The event and the wire shapes of achievements. */
import { defineEvent } from '../../core/event.ts'
import { bools, ints, list, obj, opt, strings } from '../../core/params.ts'

/** Sent once a tick for all that a player or faction earned. Source: missions.md section 5. */
export const achievementUnlocked = defineEvent({
  type: 'achievement_unlocked',
  summary: 'You, or with `faction` your faction, have earned achievements.',
  fields: obj({
    achievements: list(
      obj({ ...strings('id', 'name', 'description', 'category'), ...ints('points') }),
    ),
    ...opt(bools('faction')),
  }),
  queue: 'system',
  channel: () => 'progression',
})

export const achievementsResult = obj({
  achievements: list(
    obj({
      ...strings('id', 'name', 'description', 'category'),
      ...bools('earned', 'hidden'),
      ...ints('points'),
      ...opt({ ...strings('earned_at'), progress: obj(ints('current', 'target')) }),
    }),
  ),
  summary: obj(ints('earned', 'points', 'total')),
  ...opt(strings('message')),
})
