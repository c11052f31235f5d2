/** A past world behind the link of the main thread: it can be stopped even after a failure. */
import { expect, test } from 'vitest'
import { startPast } from '../../../engine/past.ts'
import { openEngine } from '../../../engine/start.ts'
import { SYSTEM_CLOCK } from '../../../net/ports.ts'
import { describeWith } from '../../../net/publish/frames.ts'
import { createWorldLink } from '../../../net/world-link.ts'
import { smallWorld } from '../../small-world.ts'

const NO_LOG = { debug() {}, info() {}, warn() {}, error() {} }

test('a past world whose journal cannot be read reports it, and still stops', async () => {
  const { world, registry } = await smallWorld()
  const engine = await openEngine(world, registry, { checksWrites: false })
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise((resolve) => {
    fail = resolve
  })
  const past = startPast({
    engine,
    peek: () => Promise.reject(new Error('the journal is away')),
    take() {},
    moved: async () => {},
    describe: describeWith(registry),
    failed: fail,
  })
  const link = createWorldLink({
    spawn: () => past,
    onFatal: fail,
    incarnations: { first: 1, take: async () => 1 },
    log: NO_LOG,
    clock: SYSTEM_CLOCK,
  })
  await link.ready
  void link.step(1).catch(() => {})
  expect(String(await failed)).toContain('the journal is away')
  await link.stop()
  await engine.section.close()
})
