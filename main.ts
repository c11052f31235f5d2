/**
 * The server as a process: settings, signals, exit codes. The world thread is started at once, so
 * that it loads its modules while this one loads the network and the database comes up.
 */
import { type Config, loadConfig, UsageError } from './config.ts'
import { collectWhenIdle } from './engine/collect.ts'
import { spawnThread } from './engine/spawn.ts'
import { sentenceOf } from './fault-text.ts'
import { createLog } from './log.ts'
import type { Log } from './net/ports.ts'
import { isLateWrite } from './storage/db.ts'

const STOP_DEADLINE_MS = 10_000

async function run(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  process.on('uncaughtException', (error) => {
    if (isLateWrite(error)) return
    log.fatal({ err: error }, 'a bug ends the process')
    process.exit(1)
  })
  const stopSignal = firstSignal(log)
  // Armed faults choose the limits of each thread.
  const thread = process.env.ORRERY_FAULT ? undefined : spawnThread()
  thread?.unref()
  let running = false
  // A node may wait for others for as long as it takes; what it breaks off is done again.
  if (config.role !== 'all') {
    void stopSignal.came.then(() => {
      if (!running) process.exit(0)
    })
  }
  const { startServer } = await import('./server.ts')
  const server = await startServer(config, {
    log,
    ...(thread ? { thread } : {}),
    onStepDown: stopSignal.handOver,
    onFatal: (text) => {
      // During the start the error itself is shown, once everything opened is closed again.
      if (!running) return
      log.fatal({}, text)
      process.exit(1)
    },
  })
  running = true
  collectWhenIdle()
  const signal = await stopSignal.came
  const handsOver = signal === STEP_DOWN
  log.info(
    { signal },
    handsOver ? 'stopping: last tick, goodbye' : 'stopping: last tick, snapshot, goodbye',
  )
  setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref()
  try {
    await server.stop(handsOver)
    process.exit(0)
  } catch (error) {
    log.fatal({ err: error }, 'the stop failed; nothing answered is lost')
    process.exit(1)
  }
}

/** In place of a signal: an operator has a standby take over. */
const STEP_DOWN = 'step_down'

/**
 * Resolves with the first signal to stop. Later ones change nothing: a terminal signals the whole
 * group of processes, and npm passes on what it gets, so one Ctrl-C arrives twice.
 */
function firstSignal(log: Log) {
  let handOver = (): void => {}
  const came = new Promise<string>((resolve) => {
    handOver = () => resolve(STEP_DOWN)
    let asked = false
    const stop = (signal: string): void => {
      if (asked) log.info({ signal }, 'stopping already; SIGKILL would end it at once')
      asked = true
      resolve(signal)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
  return { came, handOver }
}

/** One line, whatever LOG_LEVEL is. The stack, of a bug alone, is a field of it. */
function logFailedStart(error: unknown): void {
  const sentence = sentenceOf(error)
  const log = createLog('fatal')
  if (sentence !== undefined) log.fatal(sentence)
  else log.fatal({ err: error }, 'a bug ended the start')
}

try {
  await run(loadConfig(process.env, process.argv.slice(2)))
} catch (error) {
  const isUsage = error instanceof UsageError
  if (isUsage) console.error(error.message)
  else logFailedStart(error)
  process.exitCode = isUsage ? 2 : 1
  setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref()
}
