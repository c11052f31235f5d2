/** `orrery fork`: makes a new world from any tick of another that can be replayed. */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { stateHash } from '../core/hash.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { World } from '../core/types.ts'
import { SCHEMA_DEFAULT } from '../storage/db.ts'
import { makeTemporary } from '../storage/fork-folder.ts'
import { type ForkAddress, type ForkPlace, openForkPlace } from '../storage/fork-place.ts'
import { packImageAtOnce } from '../storage/snapshot-format.ts'
import { importWorld, type TransferResult } from '../storage/transfer.ts'
import { exportPast } from '../storage/transfer-past.ts'
import { BALANCE, type BalanceName } from '../systems/empire/balance-state.ts'
import { type Ahead, openAhead, runAgain } from './ahead.ts'
import { wholeFrom } from './command-line.ts'
import { isDatabaseUrl, reading, splitDatabaseUrl, withDatabase } from './database.ts'
import { count, digits } from './format.ts'
import { onInterrupt } from './interrupt.ts'
import { requireReach, settleArchive, walkTo, worldAt } from './past.ts'
import { addTool, DATABASE, type Options, type Report, type Tool, type ToolDef } from './tool.ts'
import { journalRowsAfter } from './world.ts'

const BOTS_MAX = 10_000

interface Plan {
  readonly at: number
  readonly to: ForkAddress
  /** The tick up to which the inputs of the journal are run after `at`. */
  readonly replayTo?: number
  readonly keepLogins: boolean
  /** Balance constants that differ in the fork, by name. */
  readonly set: ReadonlyMap<BalanceName, number>
  readonly bots: number
  readonly ticks: number
  readonly seed: number
}

const whole = (flags: string, about: string, low: number, high?: number): Option =>
  new Option(flags, about).argParser(wholeFrom(low, high))

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/
const SCHEMA_TEXT = 'a-z, 0-9 and _, at most 63 characters'

const schemaName = (text: string): string => {
  if (SCHEMA.test(text)) return text
  throw new InvalidArgumentError(`A schema name may contain ${SCHEMA_TEXT}.`)
}

/** The constants that --set accepts, one per line. */
const BALANCE_TEXT = Object.entries(BALANCE)
  .map(
    ([name, { fallback, min, max, unit, about }]) =>
      `  ${name}: ${about} (${unit}, ${digits(min)} to ${digits(max)}; ${fallback})`,
  )
  .join('\n')

const isBalanceName = (name: string): name is BalanceName => Object.hasOwn(BALANCE, name)

/** Adds one `name=value` to those given before. */
function readSet(text: string, before: Plan['set'] = new Map()): Plan['set'] {
  const [name, ...rest] = text.split('=')
  const value = rest.join('=')
  if (!isBalanceName(name)) {
    throw new InvalidArgumentError(`There is no constant "${name}". There are:\n${BALANCE_TEXT}`)
  }
  const { min, max, unit } = BALANCE[name]
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= min && number <= max) {
    return new Map([...before, [name, number]])
  }
  throw new InvalidArgumentError(`${name} must be a whole number from ${min} to ${max} (${unit}).`)
}

const forkTool: ToolDef = {
  usage: 'fork',
  summary: 'make a new world from a past tick, to try things in',
  help:
    'The fork has the world at the end of a tick and the archive up to it; it cannot go back before\n' +
    'that tick. A running server is not disturbed, and nothing is overwritten: --to names a new\n' +
    'folder (start the fork with DATA_DIR), or a database and a new schema (DATABASE_URL,\n' +
    'DATABASE_SCHEMA).\n\n' +
    'A fork is a world of its own: it has its own id, which names its bus and sessions, and its own\n' +
    'key for account tokens. It has no password, account, e-mail address, API key or login token of\n' +
    'the original, so that nobody logs in to the wrong world; "npx orrery token player" lets you in.\n' +
    '--keep-logins copies passwords, accounts and API keys. Private messages and logs are always\n' +
    'copied. Settings are not part of a world: give the fork other ports, addresses and tokens than\n' +
    'the original.\n\n' +
    'With --set, balance constants of the fork differ from the rules, permanently and from its first\n' +
    'tick on; inputs of the journal that its players could no longer send are left out.\n' +
    `There are:\n${BALANCE_TEXT}\n\n` +
    'The same seed in the same world gives the same hash. A fork that is interrupted leaves nothing\n' +
    'that a server would start; run it again.',
  settings: [...DATABASE, 'HASH_EVERY'],
  options: [
    whole('--at <tick>', 'the fork begins at the end of this tick', 0).makeOptionMandatory(),
    new Option(
      '--to <place>',
      'a new folder, or postgres://…, with its schema after a #',
    ).makeOptionMandatory(),
    new Option('--to-schema <name>', 'schema of the fork')
      .default(SCHEMA_DEFAULT)
      .argParser(schemaName),
    whole('--replay-to <tick>', 'run on to this tick with the inputs of the journal', 0),
    whole('--ticks <count>', 'then run this many more ticks', 1),
    whole('--bots <count>', 'with --ticks: this many bots mine, trade and craft', 1, BOTS_MAX),
    whole('--seed <number>', 'with --bots: the seed of their random choices', 0),
    new Option('--set <name=value>', 'a balance constant; may be repeated').argParser(readSet),
    new Option('--keep-logins', 'copy passwords, accounts and API keys'),
  ],
  run: (tool, _, options) => makeFork(tool, planOf(options)),
}

function planOf(options: Options): Plan {
  const to = options.to as string
  // An unset shell variable gives '', which would be the folder that the tool runs in.
  if (to.trim() === '') throw new UsageError('--to takes a folder or postgres://…, not nothing.')
  const isUrl = isDatabaseUrl(to)
  if (!isUrl && /^[a-z]+:\/\//i.test(to)) {
    throw new UsageError(`--to takes a folder or postgres://…, not ${to.split('://')[0]}://.`)
  }
  const [at, replayTo] = [options.at as number, options.replayTo as number | undefined]
  if (replayTo !== undefined && replayTo < at) {
    throw new UsageError(`--replay-to ${replayTo} lies before --at ${at}.`)
  }
  const [bots = 0, ticks = 0] = [options.bots, options.ticks] as (number | undefined)[]
  if (bots > 0 && ticks === 0) throw new UsageError('--bots needs --ticks.')
  if (options.seed !== undefined && bots === 0) throw new UsageError('--seed needs --bots.')
  const schema = options.toSchema as string
  return {
    at,
    replayTo,
    bots,
    ticks,
    to: isUrl ? urlPlace(to, schema) : { dataDir: resolve(to), schema },
    keepLogins: options.keepLogins === true,
    set: (options.set as Plan['set'] | undefined) ?? new Map(),
    seed: (options.seed as number | undefined) ?? 1,
  }
}

/** Parses postgres://…; the schema is the one after its #, or the one of --to-schema. */
function urlPlace(to: string, given: string): ForkAddress {
  const { databaseUrl, schema: named } = splitDatabaseUrl(to)
  if (named && given !== SCHEMA_DEFAULT && named !== given) {
    throw new UsageError(
      `--to names the schema ${named}, but --to-schema ${given}: name it only once.`,
    )
  }
  if (named && !SCHEMA.test(named))
    throw new UsageError(`A schema name may contain ${SCHEMA_TEXT}.`)
  return { databaseUrl, dataDir: '', schema: named ?? given }
}

async function makeFork(tool: Tool, plan: Plan): Promise<Report> {
  const { at, replayTo = at } = plan
  // Checked first, so that nothing is created for a tick that cannot be replayed.
  await withDatabase(tool, async ({ sql }) => {
    for (const tick of [at, replayTo]) await requireReach(sql, tick)
    await settleArchive(tool, sql, replayTo)
  })
  const opening = openForkPlace(plan.to, (text) => tool.note(text))
  const forget = onInterrupt(async () => (await opening).abandon())
  try {
    const place = await opening
    const { engine, held } = await fill(tool, plan, place)
    await runAhead(tool, plan, { engine, place })
    const { batch, tick } = engine.world
    const end = { batch, tick, hash: stateHash(engine.world) }
    await place.finish()
    return reportOf(plan, end, { ...held, settings: otherSettings(tool, engine.world) })
  } catch (error) {
    await opening.then(({ abandon }) => abandon()).catch(() => {})
    throw error
  } finally {
    forget()
  }
}

/** Fills the place of the fork with the world at its tick, and with what the journal adds. */
const fill = (tool: Tool, plan: Plan, place: ForkPlace) =>
  reading(tool, async (sql) => {
    const engine = await worldAt(tool, sql, plan.at)
    const { world } = engine
    const { tune } = await import('../systems/empire/balance-model.ts')
    for (const [name, value] of plan.set) tune(world, name, value)
    const packed = packImageAtOnce(captureWorld(world, createImageMemory()))
    // With other constants the rows are run later, and written to the journal of the fork.
    if (plan.set.size === 0) await walkTo(tool, sql, engine, plan.replayTo ?? plan.at)
    const { batch, tick, wallMs } = world
    const folder = makeTemporary(plan.to.databaseUrl ? tmpdir() : plan.to.dataDir)
    try {
      const file = join(folder, 'world')
      await exportPast(sql, file, packed, {
        end: { batch, tick, wallMs },
        isAnonymous: !plan.keepLogins,
        onProgress: tool.progress,
      })
      const held = await importWorld(place.connection, file, { onProgress: tool.progress })
      return { engine, held }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

interface Filled {
  readonly engine: Engine
  readonly place: ForkPlace
}

/** Runs the fork: first the inputs of the journal if its constants differ, then its bots. */
async function runAhead(tool: Tool, plan: Plan, { engine, place }: Filled): Promise<void> {
  const { ticks, replayTo, set } = plan
  const isRunAgain = set.size > 0 && replayTo !== undefined
  if (ticks === 0 && !isRunAgain) return
  const ahead = await openAhead(tool, engine, place.connection)
  try {
    if (isRunAgain) await runRowsAgain(tool, plan, ahead)
    if (ticks > 0) await runBots(tool, plan, ahead)
  } finally {
    await ahead.close()
  }
}

const runRowsAgain = (tool: Tool, { at, replayTo = at }: Plan, ahead: Ahead): Promise<void> =>
  reading(tool, async (sql) => {
    for await (const row of journalRowsAfter(sql, ahead.engine.world.batch)) {
      if (row.tick > replayTo) return
      await runAgain(ahead, row)
      tool.progress('ticks run again', row.tick - at, replayTo - at)
    }
  })

async function runBots(tool: Tool, { bots, ticks, seed }: Plan, ahead: Ahead): Promise<void> {
  const { joinCrew } = await import('./bots/crew.ts')
  const crew = await joinCrew(ahead.engine, { count: bots, seed }, ahead.now)
  for (let tick = 1; tick <= ticks; tick++) {
    crew.note(await ahead.tick(crew.inputs()))
    tool.progress('ticks run ahead', tick, ticks)
  }
}

/** Lists the settings of a world that differ from those of this tool: a start would change them. */
function otherSettings({ config }: Tool, { tickMs, maxEntities }: World): string[] {
  const ours = { TICK_MS: [tickMs, config.tickMs], MAX_ENTITIES: [maxEntities, config.maxEntities] }
  return Object.entries(ours).flatMap(([name, [is, set]]) => (is === set ? [] : `${name}=${is}`))
}

function reportOf(
  plan: Plan,
  end: { readonly batch: number; readonly tick: number; readonly hash: string },
  { rows, journalRows, settings }: TransferResult & { readonly settings: readonly string[] },
): Report {
  const { to, at, bots, ticks, keepLogins } = plan
  const set = Object.fromEntries(plan.set)
  const isUrl = to.databaseUrl !== undefined
  const start = isUrl
    ? `Start it with that DATABASE_URL and DATABASE_SCHEMA=${to.schema}.`
    : `Start it with DATA_DIR=${to.dataDir}` +
      `${to.schema === SCHEMA_DEFAULT ? '' : ` and DATABASE_SCHEMA=${to.schema}`}.`
  const lines = [
    `Forked at tick ${at}; the fork is at tick ${end.tick} (batch ${end.batch}) with ${end.hash}.`,
    `It has ${count(rows.player ?? 0, 'player')} of the original world, ` +
      (keepLogins ? 'who log in as they do there.' : 'none of whom can log in with a password.'),
    ...(plan.set.size > 0 ? [`Its balance constants: ${JSON.stringify(set)}.`] : []),
    ...(ticks > 0 ? [`${count(bots, 'bot')} played ${count(ticks, 'tick')}.`] : []),
    start,
    ...(settings.length > 0
      ? [`It was made with ${settings.join(' and ')}: start it with these too.`]
      : []),
  ]
  const { dataDir, schema } = to
  const where = isUrl ? { schema } : { dataDir, schema }
  return {
    data: { ...where, at, ...end, journalRows, players: rows.player ?? 0, bots, ticks, set },
    text: lines.join('\n'),
  }
}

export function addForkTool(parent: Command): void {
  addTool(parent, forkTool)
}
