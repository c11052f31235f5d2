/** A short description of a system: over the map on hover, and in the panel when chosen. */

import { type ComponentChildren, Fragment } from 'preact'
import type { ActivityBody, TerritoryBody } from '../../../core/public/world.ts'
import type { System } from '../../canvas/chart.ts'
import { battleHref, factionHref } from '../../hrefs.ts'
import { formatId, formatInt } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { Chip, Swatch } from '../../parts/tabs.tsx'

export interface CardFacts {
  readonly system: System
  readonly activity?: ActivityBody
  readonly territory?: TerritoryBody
  readonly hasStation: boolean
}

/** Returns the name of a security level, by the thresholds of `security_status`. */
export function securityOf(policeLevel: number): string {
  if (policeLevel >= 100) return 'maximum security'
  if (policeLevel >= 60) return 'high security'
  if (policeLevel >= 20) return 'medium security'
  return policeLevel >= 1 ? 'low security' : 'lawless'
}

export function Holder({ system, territory }: Pick<CardFacts, 'system' | 'territory'>) {
  const held = territory?.systems[system.id]
  const contested = held?.contested && <Chip tone="warn">contested</Chip>
  if (held?.faction_tag) {
    return (
      <>
        <Swatch color={held.color} />{' '}
        <Link to={factionHref(held.faction_tag)}>{held.faction_tag}</Link>
        {contested}
      </>
    )
  }
  if (!system.empire) return <>unclaimed</>
  return (
    <>
      <Swatch color={system.empire_color} /> {formatId(system.empire)}
      {contested}
    </>
  )
}

export function SystemFacts({ system, activity, territory, hasStation }: CardFacts) {
  const count = (counts: Readonly<Record<string, number>> | undefined) =>
    formatInt(counts?.[system.id] ?? 0)
  const battle = activity?.battles[system.id]
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Held by', <Holder key="holder" system={system} territory={territory} />],
    ['Security', `${securityOf(system.police_level)}, police ${system.police_level}`],
    ['Players', count(activity?.online)],
    ['NPC ships', count(activity?.npc)],
    ['Station', hasStation ? 'yes' : 'none'],
    ['Lanes', formatInt(system.connections.length)],
  ]
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {battle && (
        <p>
          <Chip tone="bad">fighting</Chip> <Link to={battleHref(battle)}>Watch the battle</Link>
        </p>
      )}
    </>
  )
}
