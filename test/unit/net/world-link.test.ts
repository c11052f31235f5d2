/**
 * The link survives its world thread: nothing is lost or answered twice, and a command that ends
 * threads is quarantined.
 */
import { describe, expect, test } from 'vitest'
import { ok } from '../../../core/errors.ts'
import type { Answer, PublishedBatch, ToWorld } from '../../../core/ports.ts'
import type { Framing } from '../../../core/types.ts'
import { bumpCommits, setDatabaseAway } from '../../../core/wire/progress.ts'
import { type Clock, SYSTEM_CLOCK } from '../../../net/ports.ts'
import { createWorldLink, type WorldLink } from '../../../net/world-link.ts'
import type { LinkSinks } from '../../../net/world-thread.ts'
import { silentLog } from './fake-net.ts'
import { type FakeDisk, type FakeThread, fakeDisk, fakeThread } from './fake-world.ts'

interface Rig {
  readonly disk: FakeDisk
  readonly link: WorldLink
  readonly fatal: string[]
  readonly orphans: Answer[]
  readonly logged: readonly object[]
  thread(): FakeThread
}

async function rig(
  publish: LinkSinks['publish'] = async () => {},
  clock: Clock = SYSTEM_CLOCK,
): Promise<Rig> {
  const disk = fakeDisk()
  const fatal: string[] = []
  const orphans: Answer[] = []
  const logged: object[] = []
  let thread!: FakeThread
  const link = createWorldLink({
    spawn: (options) => {
      thread = fakeThread(disk, options)
      return thread
    },
    onFatal: (text) => fatal.push(text),
    incarnations: { first: 1, take: async () => 2 },
    log: { ...silentLog(), error: (fields) => void logged.push(fields) },
    clock,
  })
  link.attach({ orphan: (answer) => orphans.push(answer), publish })
  await link.ready
  return { disk, link, fatal, orphans, logged, thread: () => thread }
}

const command = (name: string, player = 1) => ({
  player,
  command: name,
  params: {},
  framing: 'ws1' as Framing,
})

/** Lets messages, batches and restarts run their course. */
const settle = async (turns = 30): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function collect(link: WorldLink, name: string, player = 1): Answer[] {
  const answers: Answer[] = []
  link.submit(command(name, player), (answer) => {
    answers.push(answer)
    return true
  })
  return answers
}

const finalOf = (ref: number, player: number): Answer => {
  return { ...command('mine', player), ref, stage: 'final', tick: 1, outcome: ok({}) }
}

const stages = (answers: readonly Answer[]) => answers.map(({ stage }) => stage)

describe('a running world', () => {
  test('commands of one turn leave in one message and are answered', async () => {
    const { link, disk } = await rig()
    const all = [collect(link, 'get_status', 1), collect(link, 'get_status', 2)]
    expect(disk.received).toHaveLength(0)
    await settle()
    expect(all.map(stages)).toEqual([['final'], ['final']])
    expect(link.waiting()).toBe(0)
  })

  test('a mutation is acknowledged, then answered with its tick', async () => {
    const { link } = await rig()
    const answers = collect(link, 'mine')
    await settle()
    expect(stages(answers)).toEqual(['accepted'])
    await link.step(1)
    await settle()
    expect(stages(answers)).toEqual(['accepted', 'final'])
  })

  test('a publisher may send an answer early; all others follow the events', async () => {
    const order: string[] = []
    const { link } = await rig(async ({ answers }, answer) => {
      if (answers.length > 1) answer(answers[1])
      order.push('events')
    })
    for (const player of [1, 2]) {
      link.submit(command('mine', player), ({ stage }) => {
        if (stage === 'final') order.push(`answer to ${player}`)
        return true
      })
    }
    await settle()
    await link.step(1)
    await settle()
    expect(order).toEqual(['answer to 2', 'events', 'answer to 1'])
  })

  test('messages that come ahead leave with their batch, or are dropped with the thread', async () => {
    const published: PublishedBatch[] = []
    const { link, thread } = await rig(async (batch) => void published.push(batch))
    const [first, last] = ['first', 'last'].map((type) => ({ type, payload: {}, to: [1] }))
    const batchOf = (batch: number) =>
      ({
        kind: 'batch',
        batch: { batch, tick: 1, ran: [], answers: [], emissions: [last] },
      }) as const
    const ahead = (batch: number) =>
      ({ kind: 'ahead', batch, answers: [], emissions: [first] }) as const
    thread().tell(ahead(5))
    await settle()
    expect(published).toEqual([])
    thread().tell(batchOf(5))
    await settle()
    expect(published[0].emissions).toEqual([first, last])
    thread().tell(ahead(6))
    await settle()
    thread().end('a test')
    await settle()
    expect(link.ends()).toBe(1)
    thread().tell(batchOf(6))
    await settle()
    expect(published[1].emissions).toEqual([last])
  })

  test('a durable tick leaves as it arrives, and nothing of it twice', async () => {
    const order: string[] = []
    const { link, thread, disk } = await rig(
      async ({ answers, emissions }, answer, turns, arriving) => {
        let at = 0
        while (!arriving.isOver() || at < answers.length) {
          for (; at < answers.length; at++) {
            order.push(`${emissions.length} events`)
            answer(answers[at])
            arriving.served.add(answers[at].player)
          }
          if (!arriving.isOver()) await turns.next(arriving.next())
          if (arriving.isCut()) return
        }
        order.push(`served: ${[...arriving.served]}`)
      },
    )
    for (const player of [1, 2]) {
      link.submit(command('mine', player), ({ stage }) => {
        if (stage === 'final') order.push(`answer to ${player}`)
        return true
      })
    }
    await settle()
    const answers = disk.received.map((ref, index) => finalOf(ref, index + 1))
    const event = { type: 'first', payload: {}, to: [1] }
    const head = { batch: 1, tick: 1, ran: answers.map(({ ref }) => ref) }
    thread().tell({ kind: 'ahead', batch: 1, answers: [answers[0]], emissions: [event] })
    await settle()
    expect(order).toEqual([])
    thread().tell({ kind: 'durable', ...head })
    await settle()
    expect(order).toEqual(['1 events', 'answer to 1'])
    expect(link.state().tick).toBe(1)
    thread().end('a test')
    await settle()
    expect(order).toHaveLength(2)
    thread().tell({ kind: 'batch', batch: { ...head, answers, emissions: [event] } })
    await settle()
    expect(order.slice(2)).toEqual(['1 events', 'answer to 2', 'served: 1,2'])
  })

  test('a login replaced within its own batch is ended only after its answer', async () => {
    const order: string[] = []
    const { disk, link } = await rig()
    const ended: LinkSinks['ended'] = ({ isNewer }) =>
      void order.push(isNewer ? 'newer' : 'elsewhere')
    link.attach({ orphan: () => {}, publish: async () => {}, ended })
    const elsewhere = { player: 1, what: 'socket' } as const
    disk.ended = [elsewhere, { ...elsewhere, isNewer: true }]
    link.ask(command('internal:bind')).then(() => order.push('answered'))
    await settle()
    expect(order).toEqual(['elsewhere', 'answered', 'newer'])
  })

  test('a batch that cannot be published is still answered, and reported as lost', async () => {
    const { link, thread } = await rig(async () => {
      throw new Error('a bug')
    })
    const posted: ToWorld[] = []
    const { post } = thread()
    thread().post = (message) => {
      posted.push(message)
      post(message)
    }
    const answers = collect(link, 'mine')
    await settle()
    await link.step(1)
    await settle()
    expect(stages(answers)).toEqual(['accepted', 'final'])
    expect(posted).toContainEqual({
      kind: 'published',
      batch: expect.any(Number),
      isLost: true,
      busyMs: expect.any(Number),
    })
  })

  test('an outcome that its exchange does not accept goes to the orphan sink', async () => {
    const { link, orphans } = await rig()
    link.submit(command('mine'), ({ stage }) => stage === 'accepted')
    await settle()
    await link.step(1)
    await settle()
    expect(orphans.map(({ command: name }) => name)).toEqual(['mine'])
  })

  test('refs only grow, within the incarnation of the process', async () => {
    const { link, disk } = await rig()
    collect(link, 'get_status')
    collect(link, 'get_status')
    await settle()
    expect(disk.received[1]).toBe(disk.received[0] + 1)
    expect(disk.received[0]).toBe(2 ** 28 + 1)
  })
})

describe('a world thread that ends', () => {
  test('accepted commands run once in the replacement and are acknowledged once', async () => {
    const { link, disk, thread } = await rig()
    const answers = collect(link, 'mine')
    await settle()
    thread().end('test')
    await settle()
    expect(link.isUp()).toBe(true)
    await link.step(1)
    await settle()
    expect(stages(answers)).toEqual(['accepted', 'final'])
    expect(disk.ran).toHaveLength(1)
    expect(disk.starts).toHaveLength(2)
  })

  test('a batch that was written but not sent is published by the replacement, once', async () => {
    const { link, disk } = await rig()
    disk.deadlyAfter.add('set_status')
    const answers = collect(link, 'set_status')
    await settle()
    expect(stages(answers)).toEqual(['final'])
    expect(disk.ran).toHaveLength(1)
    expect(disk.received).toHaveLength(1)
  })

  test('commands that arrive during recovery are sent once the world is up', async () => {
    const { link, disk, thread } = await rig()
    disk.isSlowToRecover = true
    thread().end('test')
    await settle()
    expect(link.isUp()).toBe(false)
    const answers = collect(link, 'get_status')
    await settle()
    expect(answers).toEqual([])
    thread().finishRecovery()
    await settle()
    expect(stages(answers)).toEqual(['final'])
  })

  test('a command that was running at two ends is quarantined, and others still run', async () => {
    const { link, disk, fatal, logged } = await rig()
    disk.deadly.add('set_status')
    const poison: Answer[] = []
    link.submit({ ...command('set_status'), requestId: 'r1' }, (answer) => {
      poison.push(answer)
      return true
    })
    const other = collect(link, 'mine', 2)
    await settle(80)
    expect(poison[0].outcome).toMatchObject({ ok: false, code: 'internal_error' })
    expect(fatal).toEqual([])
    expect(logged).toContainEqual(
      expect.objectContaining({ command: 'set_status', requestId: 'r1' }),
    )
    await link.step(1)
    await settle()
    expect(stages(other)).toEqual(['accepted', 'final'])
    const resubmitted = collect(link, 'set_status', 1)
    expect(resubmitted[0].outcome).toMatchObject({ ok: false, code: 'internal_error' })
  })

  test('three ends at one tick stop the process', async () => {
    const { link, fatal, thread } = await rig()
    const answers = collect(link, 'slow_query')
    for (let end = 0; end < 3; end++) {
      await settle()
      thread().end('test')
    }
    await settle()
    expect(fatal).toHaveLength(1)
    expect(answers[0].outcome).toMatchObject({ ok: false, code: 'restarting' })
    expect(link.isUp()).toBe(false)
  })

  test('an end in recovery stops the process at once', async () => {
    const { disk, fatal, thread } = await rig()
    disk.isSlowToRecover = true
    thread().end('first')
    await settle()
    thread().end('second')
    await settle()
    expect(fatal).toHaveLength(1)
    expect(fatal[0]).toContain('in recovery')
  })
})

describe('the trouble of the link', () => {
  test('is undefined while commits go on, and journal_stalled while one lasts', async () => {
    const { link, thread } = await rig()
    const { cell } = thread()
    expect(link.trouble()).toBeUndefined()
    for (let waking = 0; waking < 200; waking++) {
      bumpCommits(cell)
      link.watch()
    }
    expect(link.trouble()).toBeUndefined()
    bumpCommits(cell)
    for (let waking = 0; waking < 50; waking++) link.watch()
    expect(link.trouble()).toBeUndefined()
    link.watch()
    expect(link.trouble()).toBe('journal_stalled')
    bumpCommits(cell)
    link.watch()
    expect(link.trouble()).toBeUndefined()
  })

  test('is database_away while the database is away, even if the journal is stalled', async () => {
    const { link, thread } = await rig()
    const { cell } = thread()
    bumpCommits(cell)
    for (let waking = 0; waking < 60; waking++) link.watch()
    setDatabaseAway(cell, true)
    expect(link.trouble()).toBe('database_away')
    setDatabaseAway(cell, false)
    expect(link.trouble()).toBe('journal_stalled')
  })

  test('is recovering after the end of a thread, and world_ended after the fatal one', async () => {
    const { link, disk, thread } = await rig()
    disk.isSlowToRecover = true
    thread().end('first')
    await settle()
    expect(link.trouble()).toBe('recovering')
    thread().end('again, in recovery')
    await settle()
    expect(link.trouble()).toBe('world_ended')
  })
})

describe('the watchdog', () => {
  const wake = async (link: WorldLink, wakings: number, between = () => {}) => {
    for (let waking = 0; waking < wakings; waking++, between()) link.watch()
    await settle()
    return link.ends()
  }

  test('ends a thread that is busy without progress for twenty wakings, not before', async () => {
    const { link, disk } = await rig()
    disk.endless.add('set_status')
    collect(link, 'set_status')
    await settle()
    expect(await wake(link, 20)).toBe(0)
    expect(await wake(link, 1)).toBe(1)
  })

  test('does not count the time for which a thread waits for a processor', async () => {
    let waitedMs = 0
    const { link, disk } = await rig(undefined, { ...SYSTEM_CLOCK, waitedMs: () => waitedMs })
    disk.endless.add('set_status')
    collect(link, 'set_status')
    await settle()
    expect(await wake(link, 100, () => (waitedMs += 90))).toBe(0)
    expect(await wake(link, 20)).toBe(1)
  })

  test('leaves an idle thread alone', async () => {
    const { link } = await rig()
    expect(await wake(link, 100)).toBe(0)
  })
})
