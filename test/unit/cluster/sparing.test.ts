/** Commands on which a leader ended are not run again, whoever sends them. SCALE 5. */
import { expect, test } from 'vitest'
import type { Answer, ToWorld } from '../../../core/ports.ts'
import type { Submission, WorldView } from '../../../core/types.ts'
import { sparing } from '../../../engine/sparing.ts'

const command = (ref: number, player: number, to = 'sol'): Submission => ({
  ...{ ref, player, command: 'travel', params: { to }, framing: 'ws2' },
})

function rig(refs: readonly number[]) {
  const ran: number[] = []
  const answers: Answer[] = []
  const receive = sparing({
    world: { tick: 5 } as WorldView,
    refs,
    receive: (message) => {
      if (message.kind === 'submit') ran.push(...message.commands.map(({ ref }) => ref))
      else ran.push(-1)
    },
    answer: (given) => void answers.push(...given),
  })
  const send = (...commands: Submission[]): void => receive({ kind: 'submit', commands })
  return { ran, answers, send, receive: receive as (message: ToWorld) => void }
}

test('a command on which threads ended is refused, and others run', () => {
  const { ran, answers, send, receive } = rig([101])
  send(command(100, 1, 'vega'), command(101, 1), command(102, 2))
  receive({ kind: 'stop' })
  expect(ran).toEqual([100, 102, -1])
  expect(answers).toMatchObject([
    {
      ref: 101,
      player: 1,
      stage: 'final',
      tick: 5,
      outcome: { ok: false, code: 'internal_error' },
    },
  ])
})

test('the same command of the same player is refused when sent with a new ref', () => {
  const { ran, answers, send } = rig([101])
  send(command(101, 1))
  send(command(103, 1), command(104, 2), command(105, 1, 'vega'))
  expect(ran).toEqual([104, 105])
  expect(answers.map(({ ref }) => ref)).toEqual([101, 103])
})
