import type { Rule } from '../view.js';
import { accountKeys } from './account-keys.js';
import { driverUsers } from './driver-addresses.js';
import { bundlerCredentials, cloudantAccounts, directoryUsers, oracleUsers } from './named-accounts.js';
import { userInfos } from './user-infos.js';

/** What says how to reach a server, and as whom. */
export const connectionStrings: Rule = {
  name: 'connection-strings',
  find: (view) =>
    userInfos(view).concat(
      driverUsers(view),
      oracleUsers(view),
      directoryUsers(view),
      bundlerCredentials(view),
      cloudantAccounts(view),
      accountKeys(view),
    ),
};
