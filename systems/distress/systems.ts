/** The end of distress signals, and their invariants. Source: missions.md section 4. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import { missionsOfSignal } from '../mission/model.ts'
import { Mission } from '../mission/state.ts'
import { Posting } from '../posting/state.ts'
import { signalOf, signals } from './model.ts'
import { sweepSignals } from './rules.ts'
import { Caller, Signal } from './state.ts'

export const signalsHold: CheckDef = {
  name: 'distress signals: one a player, not expired, answered by missions of their own',
  run(view, full) {
    if (!full || view.countOf(Signal) === 0) return
    const { sender, expireTick } = view.read(Signal)
    const open = signals(view)
    assert(open.length === view.countOf(Signal), `${open.length} signals are listed`)
    for (const signal of open) {
      assert(signalOf(view, sender[signal]) === signal, `signal ${signal} is not its sender's`)
      assert(expireTick[signal] > view.tick, `signal ${signal} has expired`)
      // One mission since rules 6; before that, every pilot in reach was given one.
      for (const mission of missionsOfSignal(view, signal)) {
        assert(view.read(Mission).signal[mission] === signal, `mission ${mission} is another's`)
      }
    }
  },
}

export const sweep: SystemDef = {
  name: 'distress.sweep',
  phase: 'produce',
  writes: [Caller, Mission, Posting, Signal],
  run: sweepSignals,
}
