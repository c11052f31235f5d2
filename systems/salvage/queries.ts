/** What drifts at one's place. Source: salvage.md section 8. */
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { WRECKS_LISTED_MAX } from '../../core/limits.ts'
import { NO_PARAMS } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { containersAt } from '../cargo/adrift-rules.ts'
import { JettisonContainer } from '../cargo/columns.ts'
import { activeShip } from '../ship/rules.ts'
import { poiOf } from '../travel/rules.ts'
import { Wreck } from './columns.ts'
import { towedWreck } from './tow.ts'
import { renderAdrift, renderWreck, wrecksSchema } from './views.ts'
import { wrecksAt } from './wrecks.ts'

type Shown = ReturnType<typeof renderWreck> | ReturnType<typeof renderAdrift>

/**
 * The newest wrecks and containers at a place, of one tick wrecks first. Both lists are in order of
 * age: no more is looked at than is shown.
 */
function newestAt(view: WorldView, poi: Eid, most: number): { shown: Shown[]; total: number } {
  const { createdTick: lost } = view.read(Wreck)
  const { createdTick: opened } = view.read(JettisonContainer)
  const wrecks = wrecksAt(view, poi)
  const adrift = containersAt(view, poi)
  const shown: Shown[] = []
  let [w, a] = [wrecks.length - 1, adrift.length - 1]
  while (shown.length < most && (w >= 0 || a >= 0)) {
    const isWreck = a < 0 || (w >= 0 && lost[wrecks[w]] >= opened[adrift[a]])
    shown.push(isWreck ? renderWreck(view, wrecks[w--]) : renderAdrift(view, adrift[a--]))
  }
  return { shown, total: wrecks.length + adrift.length }
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
    const own = tow === 0 ? [] : [renderWreck(view, tow)]
    const { shown, total } = newestAt(view, poiOf(view, player), WRECKS_LISTED_MAX - own.length)
    const wrecks = [...own, ...shown]
    const result = { count: wrecks.length, total: total + own.length, wrecks }
    return ok({ action: 'get_wrecks', ...result })
  },
})
