/** What works on a ship for a while: effects of a fight, and buffs. Its owner alone sees them. */
import type { Eid, WorldView } from '../../core/types.ts'
import { Fighting, Participant } from '../combat/columns.ts'
import { combatantId } from '../combat/views.ts'
import { renderBuffs } from '../consumable/rules.ts'

/** What EM disruption takes off damage, %. Source: combat.md section 6. */
const DISRUPTION_PCT = 20

function renderBurn(view: WorldView, row: Eid) {
  const { burnTicks, burnDamage, burnBy } = view.read(Participant)
  if (burnTicks[row] === 0) return {}
  return {
    burn_damage_per_tick: burnDamage[row],
    burn_ticks_remaining: burnTicks[row],
    ...(burnBy[row] === 0 ? {} : { burn_source_id: combatantId(view, burnBy[row]) }),
  }
}

function renderEffects(view: WorldView, ship: Eid) {
  const row = view.read(Fighting).participant[ship]
  if (row === 0) return {}
  const { emTicks, meltPct, meltTicks, speed, effectiveSpeed } = view.read(Participant)
  const slowed = speed[row] - effectiveSpeed[row]
  return {
    ...renderBurn(view, row),
    ...(meltTicks[row] === 0
      ? {}
      : { armor_melt_pct: meltPct[row], armor_melt_ticks_remaining: meltTicks[row] }),
    ...(emTicks[row] === 0
      ? {}
      : {
          disruption_ticks_remaining: emTicks[row],
          damage_penalty: DISRUPTION_PCT,
          ...(slowed > 0 ? { speed_penalty: Math.trunc((100 * slowed) / speed[row]) } : {}),
        }),
  }
}

export function renderAfflictions(view: WorldView, ship: Eid) {
  const buffs = renderBuffs(view, ship)
  return {
    ...renderEffects(view, ship),
    ...(buffs.length === 0 ? {} : { active_buffs: buffs }),
  }
}
