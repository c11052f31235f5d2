/** Panels of the operator's page: queues, connections, memory, slow ticks. */
import type { OpsBody } from '../../../core/public/ops.ts'
import { formatMib, formatMs, momentOf, worstOf } from '../../ops-model.ts'
import { formatInt, formatPct } from '../../parts/format.ts'
import { Empty } from '../../parts/state.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Meter } from '../../parts/tabs.tsx'

interface BodyProps {
  readonly body: OpsBody
}

function Facts(props: { title: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <section class="panel">
      <h2>{props.title}</h2>
      <dl class="facts ends-right">
        {props.rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Queues({ body }: BodyProps) {
  const { inbox, unanswered, journal_queue, outbound_bytes, snapshot, database } = body
  return (
    <Facts
      title="Queues"
      rows={[
        ['Inbox', formatInt(inbox)],
        ['Unanswered commands', formatInt(unanswered)],
        ['Journal rows waiting', formatInt(journal_queue)],
        ['Bytes waiting for sockets', formatMib(outbound_bytes)],
        ['Database answers in', database ? formatMs(database.ms) : 'unknown'],
        ['Last snapshot took', snapshot ? formatMs(snapshot.ms) : 'none yet'],
      ]}
    />
  )
}

const SOCKETS = [
  ['ws1', 'WebSocket v1'],
  ['ws2', 'WebSocket v2'],
  ['http', 'HTTP sessions'],
  ['mcp', 'MCP sessions'],
  ['watchers', 'Watchers of the feed'],
] as const

export function Sockets({ body }: BodyProps) {
  return (
    <Facts
      title="Connections"
      rows={SOCKETS.map(([name, title]) => [title, formatInt(body.sockets[name])])}
    />
  )
}

const MEMORY = [
  ['heap', 'JavaScript heap'],
  ['external', 'Outside the heap'],
  ['columns', 'Columns of the world'],
] as const

export function Memory({ body }: BodyProps) {
  const { memory } = body
  return (
    <section class="panel">
      <h2>Memory</h2>
      <p class="ends">
        <span class="muted">Resident</span> {formatMib(memory.rss)}
      </p>
      {MEMORY.map(([name, title]) => (
        <div key={name}>
          <p class="ends">
            <span class="muted">{title}</span>
            <span>
              {formatMib(memory[name])}{' '}
              <span class="muted">{formatPct((100 * memory[name]) / Math.max(1, memory.rss))}</span>
            </span>
          </p>
          <Meter value={memory[name]} max={memory.rss} label={title} />
        </div>
      ))}
    </section>
  )
}

export function Slow({ body }: BodyProps) {
  const columns: readonly Column<OpsBody['slow'][number]>[] = [
    {
      name: 'tick',
      title: 'Tick',
      cell: ({ tick }) => <a href={momentOf(tick)}>{formatInt(tick)}</a>,
      by: ({ tick }) => tick,
    },
    {
      name: 'ms',
      title: 'Computed in',
      isNumber: true,
      cell: ({ compute_ms }) => formatMs(compute_ms),
      by: ({ compute_ms }) => compute_ms,
    },
    {
      name: 'worst',
      title: 'Mostly in',
      cell: ({ phases }) => <span class="name">{worstOf(phases, body.phase_names)}</span>,
    },
  ]
  return (
    <section>
      {body.slow.length === 0 ? (
        <>
          <h2>Slow ticks</h2>
          <Empty>None so far. A tick much slower than others is listed here with its phases.</Empty>
        </>
      ) : (
        <Table
          caption="Slow ticks"
          columns={columns}
          rows={body.slow}
          keyOf={({ tick }) => String(tick)}
          sort="ms"
          isDescending
        />
      )}
    </section>
  )
}
