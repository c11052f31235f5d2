/** What drifts at one's place. Source: salvage.md section 8. */
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { WRECKS_LISTED_MAX } from '../../core/limits.ts'
import { NO_PARAMS } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/world.ts'
import { containersAt } from '../cargo/adrift-rules.ts'
import { JettisonContainer } from '../cargo/columns.ts'
import { activeShip } from '../ship/rules.ts'
import { poiOf } from '../travel/rules.ts'
import { Wreck } from './columns.ts'
import { towedWreck } from './tow.ts'
import { renderAdrift, renderWreck, wrecksSchema } from './views.ts'
import { wrecksAt } from './wrecks.ts'

interface Found {
  readonly tick: number
  readonly wreck: Row
  readonly adrift: Row
}

/** Wrecks and containers at a place, the newest first; of one tick wrecks before containers. */
function foundAt(view: WorldView, poi: Eid): Found[] {
  if (poi === 0) return []
  const { createdTick: since } = view.read(Wreck)
  const { createdTick: opened } = view.read(JettisonContainer)
  const adrift = containersAt(view, poi).map((row) => ({
    tick: opened[row],
    wreck: 0,
    adrift: row,
  }))
  const wrecks = wrecksAt(view, poi).map((row) => ({ tick: since[row], wreck: row, adrift: 0 }))
  return [...adrift, ...wrecks]
    .map((found, i) => ({ found, i }))
    .sort((a, b) => b.found.tick - a.found.tick || b.i - a.i)
    .map(({ found }) => found)
}

export const getWrecks = query({
  name: 'get_wrecks',
  v2: { tool: 'game_salvage', action: 'wrecks' },
  summary: 'Wrecks and containers where you are, newest first, and before them what you tow.',
  category: 'salvage',
  params: NO_PARAMS,
  result: wrecksSchema,
  needs: [],
  errors: [],
  run(view, player) {
    const tow = towedWreck(view, activeShip(view, player))
    const found = foundAt(view, poiOf(view, player))
    const own = tow === 0 ? [] : [renderWreck(view, tow)]
    const shown = found
      .slice(0, WRECKS_LISTED_MAX - own.length)
      .map(({ wreck, adrift }) =>
        wreck === 0 ? renderAdrift(view, adrift) : renderWreck(view, wreck),
      )
    const wrecks = [...own, ...shown]
    const total = found.length + own.length
    return ok({ action: 'get_wrecks', count: wrecks.length, total, wrecks })
  },
})
