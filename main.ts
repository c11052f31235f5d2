/**
 * The server as a process: settings, signals, exit codes. The world thread starts first, so that it
 * loads its modules while this thread loads the network and the database starts.
 */
import { type Config, loadConfig, UsageError } from './config.ts'
import { collectWhenIdle } from './engine/collect.ts'
import { spawnThread } from './engine/spawn.ts'
import { sentenceOf } from './fault-text.ts'
import { createLog } from './log.ts'
import type { Log } from './net/ports.ts'
import { isLateWrite } from './storage/db.ts'

/** Below the 30 s that operators are told to allow: a large world needs time for its snapshot. */
const STOP_DEADLINE_MS = 25_000

async function run(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  process.on('uncaughtException', (error) => {
    if (isLateWrite(error)) return
    log.fatal({ err: error }, 'a bug ends the process')
    process.exit(1)
  })
  const stopSignal = firstSignal(log)
  // An armed fault sets the heap limits of a thread, so it cannot be started ahead.
  const thread = process.env.ORRERY_FAULT ? undefined : spawnThread()
  thread?.unref()
  let running = false
  // A node may wait for others indefinitely; a start that is aborted is repeated by the next one.
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
      // During the start `startServer` closes everything and throws the error itself.
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

/** Reason for a stop in place of a signal: an operator lets a standby take over. */
const STEP_DOWN = 'step_down'

/**
 * Returns a promise of the first signal to stop. Later ones change nothing: a terminal signals the
 * whole process group and npm forwards its signal, so one Ctrl-C arrives twice.
 */
function firstSignal(log: Log) {
  let handOver = (): void => {}
  const came = new Promise<string>((resolve) => {
    handOver = () => resolve(STEP_DOWN)
    let isStopping = false
    const stop = (signal: string): void => {
      if (isStopping) log.info({ signal }, 'stopping already; SIGKILL would end it at once')
      isStopping = true
      resolve(signal)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
  return { came, handOver }
}

/** Logs one line, whatever LOG_LEVEL is. Only a bug has its stack as a field. */
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
