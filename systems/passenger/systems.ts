/** What passengers do by themselves. Source: crafting.md section 11. */
import { Container, Stack } from '../../core/goods.ts'
import { Account } from '../../core/ledger.ts'
import type { SystemDef } from '../../core/system.ts'
import { Player } from '../account/columns.ts'
import { Grid } from '../facility/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Cabin, Lounge, Passenger, Terminal } from './columns.ts'
import { remind } from './due.ts'
import { updateMarkets } from './market-rules.ts'
import { serveShips } from './service.ts'

export const remindPassengers: SystemDef = {
  name: 'passenger.due',
  phase: 'arrive',
  reads: [],
  writes: [Passenger, Terminal, Cabin, Lounge, Account, Player],
  run: remind,
}

export const servePassengers: SystemDef = {
  name: 'passenger.service',
  phase: 'produce',
  reads: [Cabin],
  writes: [Passenger, Account, Container, Stack, Ship],
  run: serveShips,
}

/** After rent, before ranches. */
export const moveMarkets: SystemDef = {
  name: 'passenger.market',
  phase: 'settle',
  after: 'facility.rent',
  reads: [],
  writes: [Passenger, Terminal, Grid, Account],
  run: updateMarkets,
}
