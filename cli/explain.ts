/** `orrery explain`: what happened to a player in a range of ticks, and why, by replay. */
import { type Command, Option } from 'commander'
import { UsageError } from '../config.ts'
import { createAccounts } from '../storage/accounts.ts'
import type { Sql } from '../storage/db.ts'
import { settingsTurn } from '../storage/keeping.ts'
import { wholeFrom } from './command-line.ts'
import { reading } from './database.ts'
import { CHANGE_SIGNS } from './diff.ts'
import { createExplainer, type Happening } from './explanation.ts'
import { findAccount, NAMES } from './find.ts'
import { count, styled } from './format.ts'
import { rowsTo, worldBefore } from './past.ts'
import { plain } from './shown.ts'
import { addTool, DATABASE, type Report, type Tool, type ToolDef } from './tool.ts'
import { replay } from './world.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 10_000

interface Question {
  readonly name: string
  readonly from: number
  readonly to: number | undefined
  readonly limit: number
}

const explainTool: ToolDef = {
  usage: 'explain',
  summary: 'what a player sent, the answers, what they gained or lost, and why, tick by tick',
  help:
    'Replays the ticks from snapshot and journal alone, so a running server is not disturbed.\n' +
    'Queries, and commands that were refused before they ran, are not in the journal and not listed.\n' +
    `Passwords, tokens and codes are never shown. ${NAMES} "snapshot list" shows which ticks can be reached.`,
  settings: DATABASE,
  options: [
    new Option('--player <name>', 'the player to explain').makeOptionMandatory(),
    new Option('--from <tick>', 'first tick').argParser(wholeFrom(0)).makeOptionMandatory(),
    new Option('--to <tick>', 'last tick; absent: the newest one').argParser(wholeFrom(0)),
    new Option('--limit <count>', 'batches reported; the last tick is always complete')
      .argParser(wholeFrom(1, LIMIT_MAX))
      .default(LIMIT_DEFAULT),
  ],
  run(tool, _, options) {
    const question: Question = {
      name: options.player as string,
      from: options.from as number,
      to: options.to as number | undefined,
      limit: options.limit as number,
    }
    const { from, to } = question
    if (to !== undefined && to < from)
      throw new UsageError(`--to ${to} lies before --from ${from}.`)
    return reading(tool, (sql) => explain(tool, sql, question))
  },
}

async function explain(tool: Tool, sql: Sql, question: Question): Promise<Report> {
  const { username, number } = await findAccount(createAccounts(sql), question.name)
  const { engine, to, isCut } = await worldBefore(tool, sql, question.from, question.to)
  const explainer = createExplainer(engine, number)
  const happenings: Happening[] = []
  /** The first tick that is not reported. */
  let next: number | undefined
  const turn = await settingsTurn(sql, engine.world, to)
  let settingsChanged: number | undefined
  for await (const row of rowsTo(sql, engine.world, to)) {
    if (turn && row.batch > turn.batch) {
      settingsChanged = turn.tick
      next = turn.tick + 1
      break
    }
    const isNewTick = row.tick !== engine.world.tick
    if (isNewTick && happenings.length >= question.limit) {
      next = row.tick
      break
    }
    const batch = await replay(engine, row)
    const happening = explainer.observe(row, batch)
    if (happening && row.tick >= question.from) happenings.push(happening)
    tool.progress('ticks explained', row.tick - question.from, to - question.from)
  }
  const { world, registry } = engine
  const isThere = world.rowOf(registry.players.table, number) !== 0
  const last = next === undefined ? to : next - 1
  const data = {
    player: username,
    number,
    from: question.from,
    to: last,
    happenings,
    ...(isCut ? { isCut } : {}),
    ...(next === undefined ? {} : { next }),
    ...(settingsChanged === undefined ? {} : { settingsChanged }),
  }
  const span = `ticks ${question.from} to ${last}`
  const lines = [
    `${plain(username)}, ${span}: ${count(happenings.length, 'batch', 'batches')}`,
    ...(isCut ? [CUT] : []),
    ...happenings.map(happeningText),
  ]
  if (!isThere) lines.push(`At tick ${last} there was no player ${plain(username)} yet.`)
  else if (happenings.length === 0) lines.push('Nothing of theirs changed, and they sent nothing.')
  if (settingsChanged !== undefined) {
    lines.push(
      `In tick ${settingsChanged} TICK_MS or MAX_ENTITIES changed, and no replay goes on from there: ` +
        `continue with --from ${next}.`,
    )
  } else if (next !== undefined) {
    const more = [
      `This is not the whole range: continue with --from ${next}${question.to === undefined ? '' : ` --to ${to}`},`,
      'or raise --limit.',
    ]
    lines.push(more.join(' '))
  }
  return { data, text: lines.join('\n') }
}

const CUT =
  'The first tick is incomplete: it shows only what came after the oldest snapshot, taken in it.'
const VALUES_SHOWN = 12

function changeText({ table, name, change, values }: Happening['changed'][number]): string {
  const shown = values
    .slice(0, VALUES_SHOWN)
    .map(({ column, before, after }) =>
      change === 'added'
        ? `${column} ${after}`
        : change === 'removed'
          ? `${column} ${before}`
          : `${column} ${before ?? 'none'} → ${after ?? 'none'}`,
    )
  if (values.length > VALUES_SHOWN) shown.push(`and ${values.length - VALUES_SHOWN} more`)
  return plain(
    `${CHANGE_SIGNS[change]} ${table} ${name}${shown.length === 0 ? '' : `: ${shown.join(', ')}`}`,
  )
}

function happeningText(happening: Happening): string {
  const { tick, part, batch, at, sent, answered, changed, why, leftOut } = happening
  const place = part === 0 ? `tick ${tick}` : `after tick ${tick}, part ${part}`
  return [
    styled('bold', `${place} (batch ${batch}, ${at})`),
    ...sent.map(({ command, params, channel }) =>
      plain(`  sent ${command} ${JSON.stringify(params)} (${channel})`),
    ),
    ...answered.map(({ command, text }) => `  answered ${command}: ${text}`),
    ...changed.map((one) => `  ${changeText(one)}`),
    ...why.map(({ kind, text }) => `  ${WORDS[kind]}: ${text}`),
    ...(leftOut === undefined ? [] : [`  … ${leftOut} more`]),
  ].join('\n')
}

const WORDS = {
  log: 'why',
  battle: 'why',
  event: 'event',
  other: 'by another',
  server: 'by the server',
  ledger: 'ledger',
} as const

export function addExplainTool(parent: Command): void {
  addTool(parent, explainTool)
}
