/** `orrery config, migrate`: shows the settings in force, and updates the tables. */
import { type Command, Option } from 'commander'
import { fileSettingOf, readSettings, SETTINGS, type Setting, UsageError } from '../config.ts'
import { type ConnectionOptions, connect, describeConnection, disconnect } from '../storage/db.ts'
import { withDatabase } from './database.ts'
import { table } from './format.ts'
import { addTool, DATABASE, givenFlags, type Options, type ToolDef } from './tool.ts'

const HIDDEN = '(hidden)'

/** Returns a value as it may be shown: a secret is hidden, of a URL only its password. */
function masked({ secret, unit }: Setting, value: string): string {
  if (!secret || value === '') return value
  if (unit !== 'URL' || !URL.canParse(value)) return HIDDEN
  const url = new URL(value)
  if (url.password !== '') url.password = 'hidden'
  if (url.search !== '') url.search = '?hidden'
  return url.href
}

const camel = (name: string): string =>
  name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Values = ReadonlyMap<string, string>
type Source = 'flag' | 'environment' | 'file' | 'default'

function sourceOf({ name, secret }: Setting, values: Values, options: Options): Source {
  if (secret && values.get(fileSettingOf(name))) return 'file'
  if (options[camel(name)] !== undefined) return 'flag'
  return process.env[name] === undefined ? 'default' : 'environment'
}

const configTool: ToolDef = {
  usage: 'config',
  summary: 'all settings: value in force, unit, default, meaning',
  help:
    'Each is read from the environment, or given to the server as a flag (--tick-ms 1000).\n' +
    'A secret may be kept in a file, whose path is in NAME_FILE or --name-file.',
  settings: SETTINGS.map(({ name }) => name),
  async run(_, __, options) {
    const values = readSettings(process.env, givenFlags(SETTINGS, options))
    const data = SETTINGS.map((setting) => ({
      name: setting.name,
      value: masked(setting, values.get(setting.name) ?? ''),
      unit: setting.unit,
      default: setting.fallback,
      source: sourceOf(setting, values, options),
      meaning: setting.meaning,
    }))
    const lines = data.map((row) => [
      row.name,
      row.value || 'none',
      row.unit,
      row.default || 'none',
      row.source,
      row.meaning,
    ])
    return { data, text: table(['setting', 'value', 'unit', 'default', 'from', 'meaning'], lines) }
  },
}

const migrateTool: ToolDef = {
  usage: 'migrate',
  summary: 'bring the tables up to date, under a role that may change them',
  help:
    'The server does this at its start if its database role is allowed to. If not, run this tool\n' +
    'with the DATABASE_URL of a role that is, and name the role of the server.',
  settings: DATABASE,
  options: [
    new Option('--server-role <name>', 'grant this role reading and writing of rows, nothing else'),
  ],
  run: (tool, _, options) =>
    withDatabase(
      tool,
      async ({ database }) => {
        const serverRole = options.serverRole as string | undefined
        if (serverRole !== undefined && database.embedded) {
          throw new UsageError(
            '--server-role needs DATABASE_URL: the embedded database has its own role.',
          )
        }
        const result = await database.migrate()
        const { schema } = database.connection
        if (serverRole !== undefined) await grant(database.owner, serverRole)
        const where = `schema ${schema} at ${describeConnection(database.connection)}`
        const text =
          result.applied.length === 0
            ? `Nothing to do: ${where} is at step ${result.version}.`
            : `Updated ${where} to step ${result.version}: ${result.applied.join(', ')}.`
        const granted =
          serverRole === undefined ? '' : `\nThe role ${serverRole} may read and write rows.`
        return { data: { schema, ...result, serverRole }, text: `${text}${granted}` }
      },
      { mayMake: true },
    ),
}

/** Grants a role what it needs to use the tables without owning or creating any. */
async function grant(owner: ConnectionOptions, role: string): Promise<void> {
  const { schema } = owner
  const sql = connect(owner, { name: 'migrate' })
  try {
    await sql.begin(async (tx) => {
      await tx`grant usage on schema ${tx(schema)} to ${tx(role)}`
      await tx`
        grant select, insert, update, delete on all tables in schema ${tx(schema)} to ${tx(role)}`
      await tx`
        grant usage, select, update on all sequences in schema ${tx(schema)} to ${tx(role)}`
    })
  } finally {
    await disconnect(sql)
  }
}

export function addSettingTools(parent: Command): void {
  for (const def of [configTool, migrateTool]) addTool(parent, def)
}
