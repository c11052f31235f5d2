/** Events of stations under attack. Source: combat.md section 16. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, opt, strings } from '../../core/params.ts'

const station = strings('base_id', 'base_name')
const attacker = strings('attacker_id', 'attacker_name')

export const baseRaidUpdate = defineEvent({
  type: 'base_raid_update',
  summary: 'The station you are at was hit in this tick; the attacker who hit it hardest is named.',
  fields: obj({ ...station, ...attacker, ...ints('damage', 'current_health', 'max_health') }),
  queue: 'combat',
  channel: () => 'battle_ticker',
})

export const baseDestroyed = defineEvent({
  type: 'base_destroyed',
  summary: 'The station you are at is wrecked; only its market and its store still work.',
  fields: obj({
    ...station,
    ...attacker,
    ...strings('owner_id', 'system_id'),
    ...opt(strings('base_wreck_id')),
  }),
  queue: 'combat',
})

export const stationRepaired = defineEvent({
  type: 'station_repaired',
  summary: 'The wrecked station you are at works again.',
  fields: obj({ ...station, ...strings('system_id') }),
  queue: 'combat',
  channel: () => 'battle_events',
})
