/** What holds of watches and cloaks after a tick. */
import { assert } from '../../core/assert.ts'
import { SENSED_CONTACTS_MAX } from '../../core/limits.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Cloaked, Player } from '../account/columns.ts'
import { isBound } from '../account/rules.ts'
import { poiOf } from '../travel/rules.ts'
import { CONTACTS } from './columns.ts'
import { watchedPlace, watchedPlaces, watchersOf } from './watch-rules.ts'

export const watchesHold: CheckDef = {
  name: 'watches: whoever watches a place is known there, and is there after a tick',
  run(view, full) {
    if (!full) return
    for (const poi of watchedPlaces(view)) {
      for (const player of watchersOf(view, poi)) {
        assert(watchedPlace(view, player) === poi, `player ${player} watches elsewhere`)
        assert(poiOf(view, player) === poi, `player ${player} watches from afar`)
        assert(isBound(view, player), `player ${player} watches and is offline`)
      }
    }
  },
}

export const cloaksHold: CheckDef = {
  name: 'cloaks: whoever is listed as cloaked is so; contacts are bounded',
  run(view, full) {
    if (!full) return
    const { cloaked } = view.read(Player)
    for (const player of view.byId(Player, [Cloaked])) {
      assert(cloaked[player] === 1, `player ${player} is listed as cloaked`)
    }
    for (const [observer, { seen, locked }] of view.records(CONTACTS).entries()) {
      const most = Math.max(seen.length, locked.length)
      assert(most <= SENSED_CONTACTS_MAX, `player ${observer} has ${most} contacts`)
    }
  },
}
