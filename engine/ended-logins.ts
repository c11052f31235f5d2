/** Finds the logins at a node that a journal row has ended because of a command at another node. */
import { processOf } from '../core/bus.ts'
import type { EndedLogins } from '../core/ports.ts'
import type { JournalInput } from '../core/types.ts'

const isSocketBind = ({ command, params }: JournalInput): boolean =>
  command === 'internal:bind' && params.channel === 'ws'

/**
 * Returns the logins at `node` that the inputs of a row end, except where the node itself sent the
 * command. `own`: refs of commands that it sent, besides those that carry its number.
 */
export function endedLogins(
  inputs: readonly JournalInput[],
  node: number,
  own: ReadonlySet<number> = new Set(),
): EndedLogins[] {
  const isHere = ({ params }: JournalInput): boolean => (params.node ?? 0) === node
  const isSentHere = (ref: number): boolean => own.has(ref) || processOf(ref) === node
  const lastHere = new Map<number, number>()
  for (const [index, input] of inputs.entries()) {
    if (isSocketBind(input) && isHere(input)) lastHere.set(Number(input.params.player), index)
  }
  return inputs.flatMap((input, index): EndedLogins[] => {
    const player = Number(input.params.player)
    if (input.command === 'internal:end_logins') {
      return isSentHere(input.ref) ? [] : [{ player, what: 'all' }]
    }
    if (!isSocketBind(input) || isHere(input)) return []
    const here = lastHere.get(player)
    const ended: EndedLogins = { player, what: 'socket' }
    return here !== undefined && here < index ? [ended, { ...ended, isNewer: true }] : [ended]
  })
}
