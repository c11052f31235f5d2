/** How a world thread may end, and what the main thread does then. */
import { describe, expect, test } from 'vitest'
import { KERNEL_THREAD_ERROR, type ToMain } from '../../../core/ports.ts'
import { progressCell, setRunning } from '../../../core/wire/progress.ts'
import { SYSTEM_CLOCK } from '../../../net/ports.ts'
import { createWorldLink, type WorldLink } from '../../../net/world-link.ts'
import type { SpawnOptions } from '../../../net/world-thread.ts'
import { silentLog } from './fake-net.ts'

/** A thread that sends and ends as the test says, in the same turn of the event loop. */
interface BareThread {
  readonly options: SpawnOptions
  tell(message: ToMain): void
  end(reason: string): void
  readonly stops: number[]
}

const READY = { kind: 'ready', tick: 5, batch: 9, seed: 1, tickMs: 10_000, held: [] } as const

function rig() {
  const threads: BareThread[] = []
  const fatal: string[] = []
  const errors: string[] = []
  const link: WorldLink = createWorldLink({
    spawn: (options) => {
      let tell: (message: ToMain) => void = () => {}
      let end: (reason: string) => void = () => {}
      const stops: number[] = []
      threads.push({ options, tell: (m) => tell(m), end: (r) => end(r), stops })
      return {
        post: (message) => {
          if (message.kind === 'stop') stops.push(1)
        },
        onMessage: (handler) => {
          tell = handler
        },
        onExit: (handler) => {
          end = handler
        },
        terminate: () => {},
      }
    },
    onFatal: (text) => fatal.push(text),
    incarnations: { first: 1, take: async () => 2 },
    log: { ...silentLog(), error: (_, text) => void errors.push(text) },
    clock: SYSTEM_CLOCK,
  })
  return { link, threads, fatal, errors, last: () => threads[threads.length - 1] }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('the end of a world thread', () => {
  test('right after its ready message starts a replacement', async () => {
    const { threads, fatal, last } = rig()
    last().tell(READY)
    last().end('died at once')
    await settle()
    expect(fatal).toEqual([])
    expect(threads).toHaveLength(2)
  })

  test('in recovery stops the process with the reason', async () => {
    const { fatal, errors, last } = rig()
    last().end('no way')
    await settle()
    expect(fatal[0]).toMatch('world thread ended in recovery')
    expect(errors).toEqual([])
  })

  test('by kernel threads, for the third time at one tick, turns kernel threads off', async () => {
    const { link, threads, fatal, last } = rig()
    expect(link.kernels()).toEqual({ ends: 0, isOff: false })
    for (let i = 0; i < 3; i++) {
      last().tell(READY)
      await settle()
      last().end(`${KERNEL_THREAD_ERROR}: a kernel thread failed`)
      await settle()
    }
    expect(fatal).toEqual([])
    const without = threads.map(({ options }) => options.withoutKernels)
    expect(without).toEqual([false, false, false, true])
    expect(link.kernels()).toEqual({ ends: 3, isOff: true })
  })
})

describe('a stop', () => {
  const askStatus = (link: WorldLink) =>
    link.ask({ player: 1, command: 'get_status', params: {}, framing: 'ws1' })

  test('answers restarting to commands that the world no longer accepts', async () => {
    const { link, last } = rig()
    last().tell(READY)
    await settle()
    const answer = askStatus(link)
    const stopped = link.stop()
    last().tell({ kind: 'stopped' })
    await stopped
    expect((await answer).outcome).toMatchObject({ ok: false, code: 'restarting' })
  })

  test('while the world is being replaced ends at once, and starts no other thread', async () => {
    const { link, threads, last } = rig()
    last().tell(READY)
    await settle()
    last().end('bug')
    await link.stop()
    await settle()
    expect(threads).toHaveLength(1)
    expect(await link.snapshot()).toMatch('recovering')
    expect(await link.slowTicks()).toBe(undefined)
  })
})

describe('a command of another node', () => {
  test('is quarantined after two threads have ended on it', async () => {
    const { threads, errors, last } = rig()
    for (let i = 0; i < 2; i++) {
      last().tell({ ...READY, tick: 5 + i })
      await settle()
      setRunning(progressCell(last().options.progress), 4711)
      last().end('a bug')
      await settle()
    }
    expect(threads.map(({ options }) => options.quarantined)).toEqual([[], [], [4711]])
    expect(errors.at(-1)).toContain('command quarantined: another node sent it')
  })
})

test('what operators asked of a world that stops is answered', async () => {
  const { link, last } = rig()
  last().tell(READY)
  await link.ready
  const asked = link.snapshot()
  const stopped = link.stop()
  last().end('stopped')
  await stopped
  expect(await asked).toBe('the world has stopped')
})
