/** Texts on which expressions with several ways to match are slow. */
const stumblingUnits: readonly string[] = [
  'a', '"', '\\', '\\"', '{"', '{"a":', 'password:', 'token={', 'token:"', '"password":', '"token":{', '[', 'ey', 'eyJhbGci.',
  '-', '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'sk-', 'hvs.', 'xoxb-', 'xoxe.', '://a:', 'a://b:c@', '@', ' -u a:',
  'AP6', '1.2.3.', 'BUNDLE_A__', 'mysql -p', '"name":"password",', '"value":"x",', '"fields":["a","b",', '<password>',
  'Bearer abcdefg1 ', 'AKIA', 'OpenDSObject(', 'A3-', 'abc_', '%41', '\\u0041', '\n', 'key id = ', '00', '1234567890|', 'M',
  'github=', 'github:', 'key={', 'key:key:', 'key=[', 'aws=a.', 'auth:,', 'login a password ', '$1$a$', 'Bearer abcdefg1 ', 'digest a="b",', 'digest a="', 'mysql ',
  '/', '1//0', 'A/', 'api.softlayer.com/a/', 'glpat-.', '.AQE', 'AAAAAAAAAAAAAAAAAAAAA%', '"name":"a","value":"b",', '"name":"password",', '"name":"password","a":1,', '"key":["a","b"],',
  '"value":"x","name":"password",', '"key":["a"],"value":"', '\\"name\\":\\"password\\",\\"value\\":\\"x\\",', "password '",
  'token(', 'token:(', 'token = x(', 'put("token", "', 'token: |\n ', 'name: token\nvalue: ', 'token,', '.login("a",', 'AUTH a ', 'a:5432:a:',
  'ldapsearch ', 'net use ', '/user:a ', 'htpasswd -b a ', 'smbmap -U', 'token: a = ', 'token ? ', 'token || ', '"token"', 'token=a ? ',
  '00a!', 'pk.', 'oauth:', 't-a', 'A==:', 'sk_', 'live_', 'NF-', 'EAAA', 'AKLT', 'b_', 'wx', 'Iv1.', '|', '/hooks/', 'dev:a-a-1', 'bce-v3/ALTAK', 'trnsl.1.1.',
  'eyJ.eyJ', 'a.eyJ', 'eyJhbGci', '"\\a', 'password is ', 'redis-cli ', ' -a ', 'docker login ', ':APA91b', '"d":"kty', '*0', 'pbkdf2_sha256$', 'v4.local.',
]; // prettier-ignore

/** Lists of arguments and rows of tables. */
const listUnits: readonly string[] = [
  '"a",', '["token",', '"mysql",', '"-p",', '"mysql","-p","', '"--token","a",', '[["token","a"],', '["token","a"', '"-u","a:',
  'insert into a(', 'insert into a (token) values ', "insert into a(token)values('", "insert into a(token)values(''),", '("a",',
  'insert into a(pw)values(a),(a),(a),(a),(a),(a),(a),(a)', '$("token",\'\')', "equals(token,", "Objects.equals(doc['token'].value,", "['a'].contains(", '"].contains(a', '["a"].contains(token', '"a" as ', '"a" as token ', '"==pw', '"--pw","{["token",', 'token\\*', 'MV_CONTAINS(token,', 'pw)[1]', 'concat(pw,1)', '{"source":1,"params":{"a":"ab","b":', "'].a(", 'left(pw,1,',
]; // prettier-ignore

/** The costliest texts for their length, found by a search among all words of the rules and their pairs. */
const costlyUnits: readonly string[] = [
  'cflt.', 'live_=', 'SG.', 'sl.', 'pat.', 'sk-(', 'ATTAA.', ',pypi-AgENdGVzdC5weXBpLm9yZw', '/b_', 'smbget ', 'smbget -U- ',
  'splunk=\'', 'KEY0=\'', 'KEY="', 'snyk_sat.=\'', ':id', 'sig=>', ' = phrase', 'password=a ', '":"', 'sig":', '"value":', 'a/', 'com/',
  ':-', '1:-', ':APA91b', 'eyJhbGciOiJIUzI1NiJ9.', 'api.softlayer.com/', 'test', 'BSAa', '8.8.8.8 ', 'AKIAAAAAAAAAAAAAAA ', 'A+A+A+A-', 'hooks/', 'name="password" value="',
  'session:(a ', '>key', 'KEY0: ', '"x" == password ', '{"key":"a",', '{"query":"a","fields":["key"],',
  '{"name":["a",', '{"search_after":1,"sort":["a",', '{"text":"a","name":"b",', '{"api":{"key":1,', 'session in ("a",',
  'key id = AKIAfield\'', 'key id = AKIAfieldglpat-.]', 'PRIVATE KEY"key":A==:authoauth:', 'session in ("a",$', 'key=[ey"x"',
  '"[]",', '"{\\"a\\":1}",', '{"params":"aaaaaaaaaaaa","script":', '{"source":"ab cd","params":["aaaaaaaaaaaa"],"id":',
  'github:?key id = b_token: a = -----BEGIN /b_', 'KEY="\\"token: a = !=',
  '{"key":"a",pw.equals("*', '{"a":"token <<E\\nx"},', '\t"key":stripe', 'key id =[ NF-"token"', 'p.eyJ":"eyJa\\n://a:=~', 'github:splunk=\'', 'token = a ? "x" : ', 'token = a || "" || ',
  '""::smbmap -U', 'smbmap smbmap -U -U', '\nAUTH abcd', 'a:5432:a:a:abcd ', 'hooks/hooks/', '"OpenDSObject("},', 'BUNDLE_A__A__A__A__A__A ',
  '=-----BEGIN A-------------------------------------"', '-----BEGIN A----- "a: ', 'PuTTY-User-Key-File-2:"a: ', '@//', '@tc', '@cloudsqlx', 'token,a1b2c3d4e5f6g7h8', 'h_.eyJhwfm2_p_', 'sk.eyJauthrehsk.eyJaevc_c_',
  '&quot;', '&quot;pw&quot;:', '&#3', '\\x22', '\\x5C', '<key>pw</key>', '<name>pw</name><value>', '<pw><![CDATA[', 'form-data; name=pw\n\n', 'net user a b', '\\net user a b', 'PASS a ',
  'create user a identified by ', 'to a identified by "', 'ConvertTo-SecureString ', '"a"|convertto-securestring', 'pw\n', 'pw\n==', '[("pw","a"', 'pw in (\n',
  'a -u :', 'r  -u a:d  -u a::"= ', 'OAuth realm=a",', 'docker login -p',
]; // prettier-ignore

/** Names within one word, each of which takes the whole rest as its value, and long names. */
const longUnits: readonly string[] = [
  `${'key='.repeat(12)}${'a1'.repeat(6)} `, `${'aws='.repeat(12)}${'a1'.repeat(90)} `, `"${'a_'.repeat(45)}","`, 'key in "session:>',
  '/b_sqa_figd_key in "sesases=aws=aws=aws=AUTH a aws=aws=aws==aws=aws=aws=akey-=awsws==aws=aAPI-==aws=awsH a aws=aws=aws==',
  'astokeOpenDSObject("}x"  == %psswor w=aws=aws=awsas=a=aws=awsinto=aqa_figd_key in "sses=aws==aws=aw=aws=aws=AU=AUUUU=UT aws=;aws==awsws=aky-a/b_sq/a_faigd_key in "sesaa=awsws=(=awsAPI-values as sws=?a\'aws=aws=awsin=okBaskeyic%41s/\\"sig":[""{"",KEY0=\'',
  'xapp-tt_ofm2_0cs1 ya29.Mid_AK_AKIAAAAAAAAAAAAAr_Ar_AK_AKIAAAAAAAAAAAAAi',
  '*bcer-:APA91bSG91bSG.3/ALTAK$1$1d-server91bSG.csk-ATml,vci_sha256~',
  'KEY="K"KEY="0"KEY="0"KEY="0"',
  'docker docker docker login ', 'obx_token,a1b23dt_AKC',
  'nynynyk:APA91b', 'SG.G.SG.G.SG...SG.G.SG...SG..SG...SG...',
]; // prettier-ignore

/** JSON that starts at every other mark, never ends, or names its fields many times. */
const jsonUnits: readonly string[] = [
  '{} ', '[{}] ', '\\"d_"::"::"', '{"a":a":":a":":"{"},', '"d_"::_":":::"::"', '"\\1":_', '{{{"name":[{{[{{{"",\n{', '{"a":[', '{"text":"a","name":"b",',
  '{"search_after":1,"sort":["a","{\\"a\\EAAA",', '":\\u":\\u0\\u\\u00: key-', '["[1]",', '["\\"{}\\"",', '{" {}",', '{"query_string":',
]; // prettier-ignore

/** Units that, repeated, are as hard for the rules as any known text. */
export const nastyUnits: readonly string[] = [
  ...stumblingUnits,
  ...listUnits,
  ...costlyUnits,
  ...longUnits,
  ...jsonUnits,
];
