/**
 * Spares the world the commands that have repeatedly ended its thread: without this a node would
 * send them again to each new one. They are answered as failed, and so is the same command when it
 * is sent anew.
 * Source: SCALE 5, RELIABILITY 3 (Quarantine).
 */
import { answerTo } from '../core/engine.ts'
import { fail } from '../core/errors.ts'
import { QUARANTINED_MAX } from '../core/limits.ts'
import type { Answer, ToWorld } from '../core/ports.ts'
import type { Submission, WorldView } from '../core/types.ts'

interface SparingOptions {
  readonly world: WorldView
  /** Refs of the quarantined commands. */
  readonly refs: readonly number[]
  readonly receive: (message: ToWorld) => void
  readonly answer: (answers: readonly Answer[]) => void
}

const nameOf = ({ player, command, params }: Submission): string =>
  `${player} ${command} ${JSON.stringify(params)}`

/** Wraps `receive` so that quarantined commands are answered without running. */
export function sparing({ world, refs, receive, answer }: SparingOptions) {
  if (refs.length === 0) return receive
  const known = new Set(refs)
  const names = new Set<string>()
  const isQuarantined = (command: Submission): boolean => {
    if (known.has(command.ref) && names.size < QUARANTINED_MAX) names.add(nameOf(command))
    return known.has(command.ref) || (names.size > 0 && names.has(nameOf(command)))
  }
  return (message: ToWorld): void => {
    if (message.kind !== 'submit') {
      receive(message)
      return
    }
    const quarantined = message.commands.filter(isQuarantined)
    const others = message.commands.filter((command) => !quarantined.includes(command))
    if (others.length > 0) receive({ ...message, commands: others })
    if (quarantined.length === 0) return
    answer(quarantined.map((command) => answerTo(world, command, fail('internal_error'))))
  }
}
