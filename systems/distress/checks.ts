/** Invariants of distress signals. Source: missions.md section 4. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Mission } from '../mission/columns.ts'
import { missionsOfSignal } from '../mission/rules.ts'
import { Signal } from './columns.ts'
import { signalOf, signals } from './rules.ts'

export const signalsHold: CheckDef = {
  name: 'distress signals: one a player, not over, answered by missions of their own',
  run(view, full) {
    if (!full || view.countOf(Signal) === 0) return
    const { sender, expireTick } = view.read(Signal)
    const open = signals(view)
    assert(open.length === view.countOf(Signal), `${open.length} signals are listed`)
    for (const signal of open) {
      assert(signalOf(view, sender[signal]) === signal, `signal ${signal} is not its sender's`)
      assert(expireTick[signal] > view.tick, `signal ${signal} is over`)
      // one since rules 6; before them every pilot in reach was given one
      for (const mission of missionsOfSignal(view, signal)) {
        assert(view.read(Mission).signal[mission] === signal, `mission ${mission}: which signal?`)
      }
    }
  },
}
