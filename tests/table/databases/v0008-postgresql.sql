-- A database of diablerie 0.2.0 (revision 0008), made by it in PostgreSQL 15.
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.analyses (
    match character varying(32) NOT NULL,
    games integer NOT NULL,
    chances text NOT NULL
);
CREATE UNLOGGED TABLE public.budgets (
    kind character varying(16) NOT NULL,
    client character varying(64) NOT NULL,
    level double precision NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.chat (
    match character varying(32) NOT NULL,
    id integer NOT NULL,
    seat integer NOT NULL,
    text text NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.hooks (
    match character varying(32) NOT NULL,
    url text NOT NULL,
    owner character varying(64) NOT NULL,
    language character varying(16) NOT NULL,
    home character varying(255) NOT NULL,
    failures integer NOT NULL,
    heard integer DEFAULT '-1'::integer NOT NULL
);
CREATE TABLE public.hours (
    id integer NOT NULL,
    seconds double precision NOT NULL,
    noted double precision DEFAULT '0'::double precision NOT NULL
);
CREATE UNLOGGED TABLE public.looks (
    process character varying(32) NOT NULL,
    match character varying(32) NOT NULL,
    visitor character varying(64) NOT NULL,
    client character varying(64) NOT NULL,
    pages integer NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.matches (
    id character varying(32) NOT NULL,
    game character varying(32) NOT NULL,
    rules integer NOT NULL,
    options text NOT NULL,
    key character varying(64) NOT NULL,
    commitment character varying(64) NOT NULL,
    status character varying(8) NOT NULL,
    public boolean NOT NULL,
    hints boolean DEFAULT false NOT NULL,
    origin character varying(32) DEFAULT ''::character varying NOT NULL,
    taken integer DEFAULT 0 NOT NULL,
    fair integer DEFAULT 1 NOT NULL,
    waits double precision DEFAULT '0'::double precision NOT NULL,
    pace integer DEFAULT 0 NOT NULL,
    host character varying(64) NOT NULL,
    created double precision NOT NULL,
    rematch character varying(32) NOT NULL,
    revision integer NOT NULL
);
CREATE TABLE public.passes (
    id character varying(64) NOT NULL,
    owner character varying(64) NOT NULL,
    sealed text NOT NULL,
    made double precision NOT NULL
);
CREATE TABLE public.plies (
    match character varying(32) NOT NULL,
    ply integer NOT NULL,
    seat integer NOT NULL,
    events text NOT NULL,
    at double precision NOT NULL,
    since integer NOT NULL
);
CREATE UNLOGGED TABLE public.processes (
    id character varying(32) NOT NULL,
    threads integer NOT NULL,
    beat double precision NOT NULL
);
CREATE TABLE public.pushes (
    id character varying(64) NOT NULL,
    owner character varying(64) NOT NULL,
    endpoint text NOT NULL,
    p256dh character varying(128) NOT NULL,
    auth character varying(64) NOT NULL,
    language character varying(16) NOT NULL,
    home character varying(255) NOT NULL,
    created double precision NOT NULL,
    told boolean NOT NULL
);
CREATE TABLE public.reports (
    match character varying(32) NOT NULL,
    line integer NOT NULL,
    reporter character varying(64) NOT NULL,
    seat integer NOT NULL,
    name character varying(64) NOT NULL,
    text text NOT NULL,
    said double precision NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.results (
    match character varying(32) NOT NULL,
    seat integer NOT NULL,
    won boolean NOT NULL,
    points double precision
);
CREATE TABLE public.seats (
    match character varying(32) NOT NULL,
    seat integer NOT NULL,
    kind character varying(8) NOT NULL,
    name character varying(64) NOT NULL,
    owner character varying(64),
    link character varying(64),
    bot character varying(64) NOT NULL,
    stand_in character varying(64) NOT NULL,
    nonce character varying(64) NOT NULL,
    pledge character varying(64) DEFAULT ''::character varying NOT NULL,
    called character varying(64) DEFAULT ''::character varying NOT NULL,
    label character varying(64) DEFAULT ''::character varying NOT NULL,
    due double precision DEFAULT '0'::double precision NOT NULL
);
CREATE TABLE public.snapshots (
    match character varying(32) NOT NULL,
    ply integer NOT NULL,
    layout character varying(32) NOT NULL,
    state bytea NOT NULL
);
CREATE TABLE public.tokens (
    id character varying(64) NOT NULL,
    maker character varying(64) NOT NULL,
    address character varying(64) NOT NULL,
    name character varying(64) NOT NULL,
    scopes character varying(64) NOT NULL,
    created double precision NOT NULL,
    used double precision NOT NULL
);
CREATE TABLE public.turns (
    match character varying(32) NOT NULL,
    due double precision NOT NULL,
    lease double precision NOT NULL,
    holder character varying(64) NOT NULL,
    client character varying(64) NOT NULL,
    alone boolean NOT NULL
);
INSERT INTO public.alembic_version VALUES ('0008');
INSERT INTO public.analyses VALUES ('eaPszOWcXtxp', 2, '{"chances":[[0.5,0.5],[1.0,0.0],[1.0,0.0],[1.0,0.0],[0.0,1.0],[1.0,0.0],[1.0,0.0],[0.5,0.5],[0.0,1.0],[0.0,1.0],[1.0,0.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[1.0,0.0],[1.0,0.0],[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.0,1.0],[0.5,0.5],[0.5,0.5],[0.0,1.0],[0.5,0.0],[1.0,0.0],[1.0,0.0],[0.0,1.0],[0.0,1.0],[0.5,0.5],[0.5,0.5],[0.5,0.5],[1.0,0.0],[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.5,0.5],[1.0,0.0],[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.0,1.0],[1.0,0.0],[1.0,0.0],[0.0,1.0],[1.0,0.0],[1.0,0.0],[0.5,0.5],[0.0,0.5],[0.0,0.5],[0.0,1.0],[0.5,0.5],[0.0,1.0],[0.0,1.0],[0.5,0.5],[0.5,0.5],[0.0,1.0],[0.0,1.0],[0.0,1.0],[1.0,0.0],[1.0,0.0],[1.0,0.0],[1.0,0.0],[0.0,1.0],[0.0,1.0],[0.5,0.5],[0.0,1.0],[1.0,0.0],[1.0,0.0],[0.5,0.5],[0.5,0.5],[1.0,0.0],[0.0,1.0],[0.5,0.5],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0]],"played":[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2],"verdicts":[[55,0,true,"lay 2",0.162,null],[64,1,true,"lay 1",0.2,null]]}');
INSERT INTO public.chat VALUES ('RsQdmWzmzY7o', 1, 0, 'hello', 2075);
INSERT INTO public.chat VALUES ('RsQdmWzmzY7o', 2, 1, 'grüß dich, mulțumesc', 2076);
INSERT INTO public.hooks VALUES ('RsQdmWzmzY7o', 'https://bell.example/turn', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 'de', 'https://devils.example', 0, -1);
INSERT INTO public.hours VALUES (1, 15.861777131000053, 0);
INSERT INTO public.matches VALUES ('j5a1xlSELLs9', 'tails', 1, '{}', '63c5397643e2cf26f5eac6c6a0ac05b830dcfd2a15a6945b55e84b043c22b864', '63e43924ccba86e34a8541eb5b607e9aec1de3d3d42b8e4f921408877ddc5a2f', 'open', true, false, '', 0, 2, 0, 0, '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 2002, '', 0);
INSERT INTO public.matches VALUES ('eaPszOWcXtxp', 'tails', 1, '{}', '7051012fc0d099766e6e9aa5784f500f619934b94275b6d515ceda3516d3e423', '65b243f6d24d15f68e13f1bee203aa48536516b0adf625447786170321ce7872', 'over', false, false, '', 0, 2, 0, 0, '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 2003, '094Q9TwxF2XF', 3);
INSERT INTO public.matches VALUES ('094Q9TwxF2XF', 'tails', 1, '{}', '5bcd05cc16ea5d8452df76ea6a9134b51f3d324d027bd319104df668159ebda5', '2ed5f46f83ca5c6f963be2262594d8a3bd09f3ae176a3be1635a7c844d4eb615', 'running', false, false, '', 0, 2, 0, 0, '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 2064, '', 1);
INSERT INTO public.matches VALUES ('eqog-2gbchOk', 'kitchen', 1, '{"stove": "8"}', '74d9d3bfe5aefd412ed244ad42f36181469dac93d5d6310e2abc57582cb741e0', 'ad8f7b2651fb059981a8586dbbd6ee00c86cb22041431a32451356e80d3fd720', 'running', false, false, '', 0, 2, 0, 0, '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 2096, '', 1);
INSERT INTO public.matches VALUES ('paAW2JDlmVaV', 'kitchen', 1, '{"stove": "8"}', '143b45078a89eb67d486d141f37795e75e1615d231607dbdb764de4e36b90880', '4ace435612d8939a4df269b6f4dcb85ecffebd3a61a22fc83486fbd07bf1779f', 'running', false, true, '', 0, 2, 0, 0, '168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91', 2106, '', 1);
INSERT INTO public.matches VALUES ('2Q3N34GtTfLi', 'coals', 1, '{"pact": "every_devil", "mouth": "20", "track": "200,300,500,800,1200,1600", "goal": "1600", "furnace": "2,3,7,9,9,9,9", "open_purses": "no"}', 'b5c61981b7e777564bfbf42e81f15a991a673bbc19fc859c581319580497b2a9', '1b2d50ab463e810aad0c88cf858188804e18fad63b544ed614b36815c46f4ca2', 'open', false, false, '', 0, 2, 2115, 0, '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 2114, '', 1);
INSERT INTO public.matches VALUES ('CzUhaiJT7Ip_', 'tails', 1, '{}', '855b47e936c8678e2f7c9984906f61af0088e5069f832dd51bf522c40298d409', '9186804b4610372a7970a21590cdf8841319517d9b3bd2b79cf215b459e0e404', 'open', false, false, '', 0, 2, 0, 0, 'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb', 2116, '', 0);
INSERT INTO public.matches VALUES ('RsQdmWzmzY7o', 'coals', 1, '{"pact": "every_devil", "mouth": "20", "track": "200,300,500,800,1200,1600", "goal": "1600", "furnace": "2,3,7,9,9,9,9", "open_purses": "no"}', 'd1f20db5e020559288c3b7bcd15596bb080caf4955acfaade7981955f1854e60', '69b2cc8ed6b25d1da6a8bfae8c5c885f74fce4f24f3bd5000879972de1db20cb', 'running', false, false, '', 0, 2, 0, 3600, '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 2068, '', 8);
INSERT INTO public.matches VALUES ('OOX1garCkjyj', 'underworld', 1, '{"gift": "must"}', '06f2ebeebc7166eb2dd31525eb944f3d706066f7506172127af516da4084279f', '2a64866908ab88097e4e5faa3a5aa0b2b5c02babf17f1210435f88442ff70bfb', 'running', true, true, '', 0, 2, 0, 0, '168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91', 2078, '', 2);
INSERT INTO public.passes VALUES ('aaf86f5479e6692d6383da711a2442e369b1461f7dbdd77a448850ce22fd0988', 'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb', 'f0a1', 2118);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 0, -1, '[[-1, "first 0"]]', 2004, 1);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 1, 0, '[[0, "far 23"], [-1, "tile 05-12-34"]]', 2005, 2);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 2, 0, '[[0, "lay 0"], [-1, "tile 02-15-34"]]', 2005, 3);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 3, 1, '[[1, "lay 0"]]', 2006, 4);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 4, 1, '[[1, "near 26"], [-1, "tile 01-25-34"]]', 2007, 5);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 5, 1, '[[1, "lay 2"], [-1, "tile 01-25-34"]]', 2008, 6);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 6, 0, '[[0, "lay 0"]]', 2009, 7);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 7, 0, '[[0, "far 3"], [-1, "tile 02-14-35"]]', 2010, 8);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 8, 0, '[[0, "lay 2"], [-1, "tile 02-15-34"]]', 2011, 9);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 9, 1, '[[1, "lay 0"]]', 2012, 10);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 10, 1, '[[1, "near 27"], [-1, "tile 05-12-34"]]', 2013, 11);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 11, 1, '[[1, "lay 0"], [-1, "tile 01-23-45"]]', 2013, 12);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 12, 0, '[[0, "lay 0"]]', 2013, 13);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 13, 0, '[[0, "near 5"], [-1, "tile 02-15-34"]]', 2014, 14);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 14, 0, '[[0, "lay 0"], [-1, "tile 02-14-35"]]', 2015, 15);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 15, 1, '[[1, "lay 2"]]', 2016, 16);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 16, 1, '[[1, "far 18"], [-1, "tile 01-23-45"]]', 2017, 17);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 17, 1, '[[1, "lay 0"], [-1, "tile 03-14-25"]]', 2017, 18);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 18, 0, '[[0, "lay 0"]]', 2017, 19);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 19, 0, '[[0, "far 4"], [-1, "tile 02-14-35"]]', 2018, 20);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 20, 0, '[[0, "lay 0"], [-1, "tile 02-14-35"]]', 2019, 21);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 21, 1, '[[1, "lay 1"]]', 2020, 22);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 22, 1, '[[1, "near 14"], [-1, "tile 01-25-34"]]', 2021, 23);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 23, 1, '[[1, "lay 0"], [-1, "tile 01-25-34"]]', 2022, 24);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 24, 0, '[[0, "lay 0"]]', 2023, 25);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 25, 0, '[[0, "far 2"], [-1, "tile 01-24-35"]]', 2024, 26);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 26, 0, '[[0, "lay 2"], [-1, "tile 03-14-25"]]', 2025, 27);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 27, 1, '[[1, "lay 0"]]', 2025, 28);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 28, 1, '[[1, "near 19"], [-1, "tile 02-14-35"]]', 2026, 29);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 29, 1, '[[1, "lay 0"], [-1, "tile 05-12-34"]]', 2027, 30);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 30, 0, '[[0, "lay 0"]]', 2027, 31);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 31, 0, '[[0, "near 13"], [-1, "tile 01-23-45"]]', 2028, 32);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 32, 0, '[[0, "lay 0"], [-1, "tile 01-24-35"]]', 2028, 33);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 33, 1, '[[1, "lay 2"]]', 2029, 34);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 34, 1, '[[1, "far 10"], [-1, "tile 03-14-25"]]', 2030, 35);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 35, 1, '[[1, "lay 0"], [-1, "tile 02-15-34"]]', 2030, 36);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 36, 0, '[[0, "lay 0"]]', 2031, 37);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 37, 0, '[[0, "near 9"], [-1, "tile 02-14-35"]]', 2032, 38);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 38, 0, '[[0, "lay 2"], [-1, "tile 01-24-35"]]', 2033, 39);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 39, 1, '[[1, "lay 2"]]', 2034, 40);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 40, 1, '[[1, "far 12"], [-1, "tile 05-12-34"]]', 2035, 41);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 41, 1, '[[1, "lay 0"], [-1, "tile 03-14-25"]]', 2035, 42);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 42, 0, '[[0, "lay 0"]]', 2035, 43);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 43, 0, '[[0, "near 11"], [-1, "tile 03-14-25"]]', 2036, 44);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 44, 0, '[[0, "lay 0"], [-1, "tile 01-23-45"]]', 2036, 45);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 45, 1, '[[1, "lay 0"]]', 2036, 46);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 46, 1, '[[1, "near 8"], [-1, "tile 03-14-25"]]', 2037, 47);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 47, 1, '[[1, "lay 0"], [-1, "tile 02-15-34"]]', 2037, 48);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 48, 0, '[[0, "lay 0"]]', 2038, 49);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 49, 0, '[[0, "far 22"], [-1, "tile 05-12-34"]]', 2039, 50);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 50, 0, '[[0, "lay 0"], [-1, "tile 01-23-45"]]', 2039, 51);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 51, 1, '[[1, "lay 0"]]', 2039, 52);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 52, 1, '[[1, "far 15"], [-1, "tile 01-24-35"]]', 2040, 53);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 53, 1, '[[1, "lay 2"], [-1, "tile 01-24-35"]]', 2041, 54);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 54, 0, '[[0, "lay 0"]]', 2042, 55);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 55, 0, '[[0, "far 25"], [-1, "tile 02-14-35"]]', 2043, 56);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 56, 0, '[[0, "lay 1"], [-1, "tile 01-25-34"]]', 2044, 57);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 57, 1, '[[1, "lay 0"]]', 2045, 58);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 58, 1, '[[1, "near 1"], [-1, "tile 01-25-34"]]', 2046, 59);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 59, 1, '[[1, "lay 0"], [-1, "tile 05-12-34"]]', 2047, 60);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 60, 0, '[[0, "lay 0"]]', 2047, 61);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 61, 0, '[[0, "near 24"], [-1, "tile 01-25-34"]]', 2048, 62);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 62, 0, '[[0, "lay 1"], [-1, "tile 01-25-34"]]', 2049, 63);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 63, 1, '[[1, "lay 2"]]', 2050, 64);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 64, 1, '[[1, "near 17"], [-1, "tile 01-23-45"]]', 2051, 65);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 65, 1, '[[1, "lay 0"], [-1, "tile 05-12-34"]]', 2051, 66);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 66, 0, '[[0, "lay 0"]]', 2051, 67);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 67, 0, '[[0, "far 7"], [-1, "tile 01-23-45"]]', 2052, 68);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 68, 0, '[[0, "lay 0"], [-1, "tile 02-15-34"]]', 2052, 69);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 69, 1, '[[1, "lay 2"]]', 2053, 70);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 70, 1, '[[1, "near 16"], [-1, "tile 02-15-34"]]', 2054, 71);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 71, 1, '[[1, "lay 2"], [-1, "tile 01-24-35"]]', 2055, 72);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 72, 0, '[[0, "lay 0"]]', 2056, 73);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 73, 0, '[[0, "far 20"], [-1, "tile 01-24-35"]]', 2057, 74);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 74, 0, '[[0, "lay 0"], [-1, "tile 01-24-35"]]', 2058, 75);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 75, 1, '[[1, "lay 2"]]', 2059, 76);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 76, 1, '[[1, "near 6"], [-1, "tile 03-14-25"]]', 2060, 77);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 77, 1, '[[1, "lay 0"], [-1, "tile 05-12-34"]]', 2060, 78);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 78, 0, '[[0, "lay 0"]]', 2060, 79);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 79, 0, '[[0, "far 21"], [-1, "tile 02-15-34"]]', 2061, 80);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 80, 0, '[[0, "lay 2"], [-1, "tile 02-14-35"]]', 2062, 81);
INSERT INTO public.plies VALUES ('eaPszOWcXtxp', 81, 1, '[[1, "lay 0"]]', 2063, 82);
INSERT INTO public.plies VALUES ('094Q9TwxF2XF', 0, -1, '[[-1, "first 0"]]', 2065, 1);
INSERT INTO public.plies VALUES ('094Q9TwxF2XF', 1, 0, '[[0, "near 12"], [-1, "tile 01-25-34"]]', 2066, 2);
INSERT INTO public.plies VALUES ('094Q9TwxF2XF', 2, 0, '[[0, "lay 0"], [-1, "tile 03-14-25"]]', 2067, 3);
INSERT INTO public.plies VALUES ('094Q9TwxF2XF', 3, 1, '[[1, "lay 0"]]', 2067, 4);
INSERT INTO public.plies VALUES ('RsQdmWzmzY7o', 0, -1, '[[-1, "first 1"]]', 2070, 1);
INSERT INTO public.plies VALUES ('RsQdmWzmzY7o', 1, 0, '[[0, "bet 150"]]', 2071, 1);
INSERT INTO public.plies VALUES ('RsQdmWzmzY7o', 2, 1, '[[1, "bet 170"]]', 2072, 3);
INSERT INTO public.plies VALUES ('RsQdmWzmzY7o', 3, 1, '[[1, "pull"], [-1, "coal 25"]]', 2073, 4);
INSERT INTO public.plies VALUES ('RsQdmWzmzY7o', 4, 1, '[[1, "stop"]]', 2074, 5);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 0, -1, '[[-1, "first 1"]]', 2079, 1);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 1, 1, '[[1, "place v5"]]', 2080, 2);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 2, 2, '[[2, "place z4"]]', 2081, 3);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 3, 0, '[[0, "place u2"]]', 2082, 4);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 4, 1, '[[1, "move w5"], [-1, "card B0"]]', 2083, 5);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 5, 2, '[[2, "move z5"], [-1, "card F2"]]', 2084, 6);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 6, 0, '[[0, "move u1"]]', 2085, 7);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 7, 1, '[[1, "move x5"], [-1, "card A4"]]', 2086, 8);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 8, 2, '[[2, "swap"]]', 2087, 9);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 9, 2, '[[2, "exchange w3"]]', 2088, 10);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 10, 2, '[[2, "with z3"]]', 2089, 11);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 11, 0, '[[0, "move u2"], [-1, "card C5"]]', 2090, 12);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 12, 1, '[[1, "swap"]]', 2091, 13);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 13, 0, '{"note": "handover", "to": 0, "by": "sensible"}', 2092, 13);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 14, 1, '[[1, "exchange y6"]]', 2093, 15);
INSERT INTO public.plies VALUES ('OOX1garCkjyj', 15, 1, '[[1, "with v7"]]', 2094, 16);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 0, -1, '[]', 2097, 1);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 1, 0, '[[0, "menu 5 3 1 0"]]', 2098, 1);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 2, 1, '[[1, "menu 3 1 0 5"], [-1, "first 1"]]', 2099, 3);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 3, 1, '[[1, "pot eye a4"]]', 2100, 4);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 4, 0, '[[0, "pot star c2"]]', 2101, 5);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 5, 1, '[[1, "pot flame b3"]]', 2102, 6);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 6, 0, '[[0, "pot flame a5"]]', 2103, 7);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 7, 1, '[[1, "pot star f3"]]', 2104, 8);
INSERT INTO public.plies VALUES ('eqog-2gbchOk', 8, 0, '[[0, "pot bone a2"]]', 2105, 9);
INSERT INTO public.plies VALUES ('paAW2JDlmVaV', 0, -1, '[]', 2107, 1);
INSERT INTO public.plies VALUES ('paAW2JDlmVaV', 1, 0, '[[0, "menu 0 5 3 1"]]', 2108, 1);
INSERT INTO public.plies VALUES ('paAW2JDlmVaV', 2, 1, '[[1, "menu 1 5 0 3"], [-1, "first 0"]]', 2109, 3);
INSERT INTO public.plies VALUES ('paAW2JDlmVaV', 3, 0, '[[0, "pot flame f5"]]', 2110, 4);
INSERT INTO public.plies VALUES ('paAW2JDlmVaV', 4, 1, '[[1, "pot bone e4"]]', 2111, 5);
INSERT INTO public.plies VALUES ('paAW2JDlmVaV', 5, 0, '[[0, "pot star f2"]]', 2112, 6);
INSERT INTO public.plies VALUES ('paAW2JDlmVaV', 6, 0, '{"note": "takeback", "to": 5, "by": ""}', 2113, 7);
INSERT INTO public.pushes VALUES ('f62007a1d98805644ca41c16f6d0271cfd41019c724d02afde6c9eb580036fbd', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 'https://push.example/ann', 'BAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8', 'AAAAAAAAAAAAAAAAAAAAAA', 'en', 'https://devils.example', 2117, false);
INSERT INTO public.reports VALUES ('RsQdmWzmzY7o', 2, '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', 1, 'Bo', 'grüß dich, mulțumesc', 2076, 2077);
INSERT INTO public.results VALUES ('eaPszOWcXtxp', 0, false, 33);
INSERT INTO public.results VALUES ('eaPszOWcXtxp', 1, true, 74);
INSERT INTO public.seats VALUES ('j5a1xlSELLs9', 0, 'person', '', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', NULL, '', '', '', '', '', '', 0);
INSERT INTO public.seats VALUES ('j5a1xlSELLs9', 1, 'open', '', NULL, NULL, '', '', '', '', '', '', 0);
INSERT INTO public.seats VALUES ('eaPszOWcXtxp', 0, 'person', 'Ann', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', NULL, '', '', 'c1115e5405a3996fdf04cd045ef21f94', '', 'Ann', '50832b46ffb345a541d2c5e4e4e7d3ba72267d3d8231854a4c02ce8abfcab54a', 0);
INSERT INTO public.seats VALUES ('eaPszOWcXtxp', 1, 'person', 'Bo', 'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb', NULL, '', '', '0374a8d8f12c2c27d5c31e0455201c08', '', 'Bo', 'ddcf26f8378faf5893985cc5781c6e99186732d40b34788d9a1f7d618e291b1a', 0);
INSERT INTO public.seats VALUES ('094Q9TwxF2XF', 0, 'person', 'Ann', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', NULL, '', '', '50418522a6da8e5393ea2257e9aacdd6', '', 'Ann', '30c626000b49ed7896a65cb44cf065c05f3435f04152190f7743afb553102cf1', 0);
INSERT INTO public.seats VALUES ('094Q9TwxF2XF', 1, 'person', 'Bo', 'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb', NULL, '', '', '64441915d34928d34daa6489c3c2a3e7', '', 'Bo', '7b6b83011e6baf6a6e73232505f6309ced286784f6eba63b7f645584a815c69e', 0);
INSERT INTO public.seats VALUES ('2Q3N34GtTfLi', 1, 'person', '', '168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91', NULL, '', '', '', '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', '', '', 0);
INSERT INTO public.seats VALUES ('RsQdmWzmzY7o', 1, 'person', 'Bo', 'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb', NULL, '', '', 'bo''s', '94e7553f62214cb04636cc8da937325f0eeb2d4fc13145ff16485c52da057dac', 'Bo', 'c700d4be9bbc2a55786fac84d21375e091c163675ff5793ef47392907c559e37', 0);
INSERT INTO public.seats VALUES ('RsQdmWzmzY7o', 0, 'person', 'Ann', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', '10478d9fedcbe04afc9c7f0e0cdf8a8500000000000000000000000000000000', '', '', 'ann''s', 'c1f38237ea152d3657023bae97951079e46da1609723815662492910e11fd56d', 'Ann', '62d1c9a3da7e764134bc99ae384f300157c9e75b6e37601435616bb956bf1f17', 3615.4223258409993);
INSERT INTO public.seats VALUES ('CzUhaiJT7Ip_', 0, 'person', '', 'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb', NULL, '', '', '', '', '', '', 0);
INSERT INTO public.seats VALUES ('OOX1garCkjyj', 1, 'person', '', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', NULL, '', '', 'e1360ecb492db4f810e5dbeffd131b67', '', '', 'a06ae237ce226072ef9cfd6acfb42a1461963f60fec54d64307678c9727ac650', 0);
INSERT INTO public.seats VALUES ('OOX1garCkjyj', 2, 'bot', '', NULL, NULL, 'sensible', '', 'ace85bbc1704a90c485734650aa2c57b', '', '', '02599a2e64aab82700707f5806daf2f8b6b795c4af9dd34cac9fe242870b1ccd', 0);
INSERT INTO public.seats VALUES ('OOX1garCkjyj', 0, 'person', 'Cy', '168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91', NULL, '', 'sensible', 'ecf02e5f5dbf275e3fa23339e08c70c3', '', 'Cy', '200690e872af035fc2eea3328e5a6c57b12a904ed06ae333aee33581a8a02de6', 0);
INSERT INTO public.seats VALUES ('eqog-2gbchOk', 0, 'person', 'Ann', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', NULL, '', '', '66af4dc3e98245e4812ccb9d2398b0c1', '', 'Ann', '20d9b952f69d4c3982c36d14c6828039c8c5c9feb883a20127f4a5f2cf2dfdab', 0);
INSERT INTO public.seats VALUES ('eqog-2gbchOk', 1, 'program', 'Robot', 'abe344acf5d2277918817ba210b8d83443681ab6342e6785e4fbe3896ec52ca2', NULL, '', '', 'be1536543f8940a9c6fecdd3047b2a63', '', 'Robot', '3737245559eaabb9a69245a53c8a99e06ca2c35da82f96546e1d20def685b959', 0);
INSERT INTO public.seats VALUES ('paAW2JDlmVaV', 0, 'person', '', '168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91', NULL, '', '', '5ea9c00e589ad1e03fea9943eed870cd', '', '', 'b7f9941345372bc9f0cf32bf909f6bd9914adfa72e620180a3b3fe50300f6a39', 0);
INSERT INTO public.seats VALUES ('paAW2JDlmVaV', 1, 'bot', '', NULL, NULL, 'oberteufel', '', '0ea119b5bd7b396c7b58c2719e279a06', '', '', '94d5147397458d3bec7194f9a67077f0c0ce1337ae418f6260f7b4f9b7c73a64', 0);
INSERT INTO public.seats VALUES ('2Q3N34GtTfLi', 0, 'person', '', '42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2', NULL, '', '', '', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', '', '', 0);
INSERT INTO public.seats VALUES ('CzUhaiJT7Ip_', 1, 'open', '', NULL, NULL, '', '', '', '', '', '', 0);
INSERT INTO public.snapshots VALUES ('eaPszOWcXtxp', 82, '33bed65303bee037', '\x0000000000000000050201ff00ff1f36010001000000000003110f110b03090b0c0b0300060b12000c100e0303140903000300060f0b0f00120d0c0e030611120606000c09140c061210120614000000');
INSERT INTO public.tokens VALUES ('abe344acf5d2277918817ba210b8d83443681ab6342e6785e4fbe3896ec52ca2', 'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb', '127.0.0.1', 'Robot', 'play', 2095, 2095);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.analyses
    ADD CONSTRAINT analyses_pkey PRIMARY KEY (match);
ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey PRIMARY KEY (kind, client);
ALTER TABLE ONLY public.chat
    ADD CONSTRAINT chat_pkey PRIMARY KEY (match, id);
ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (match);
ALTER TABLE ONLY public.hours
    ADD CONSTRAINT hours_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.looks
    ADD CONSTRAINT looks_pkey PRIMARY KEY (process, match, visitor, client);
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT matches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.passes
    ADD CONSTRAINT passes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plies
    ADD CONSTRAINT plies_pkey PRIMARY KEY (match, ply);
ALTER TABLE ONLY public.processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pushes
    ADD CONSTRAINT pushes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (match, line, reporter);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_pkey PRIMARY KEY (match, seat);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_link_key UNIQUE (link);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (match, seat);
ALTER TABLE ONLY public.snapshots
    ADD CONSTRAINT snapshots_pkey PRIMARY KEY (match);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (match);
CREATE INDEX budgets_by_at ON public.budgets USING btree (at);
CREATE INDEX looks_by_match ON public.looks USING btree (match);
CREATE INDEX matches_by_status ON public.matches USING btree (status, created);
CREATE INDEX pushes_by_owner ON public.pushes USING btree (owner);
CREATE INDEX seats_by_due ON public.seats USING btree (due);
CREATE INDEX seats_by_owner ON public.seats USING btree (owner);
CREATE INDEX tokens_by_address ON public.tokens USING btree (address);
CREATE INDEX tokens_by_maker ON public.tokens USING btree (maker);
CREATE INDEX turns_by_due ON public.turns USING btree (due);
ALTER TABLE ONLY public.analyses
    ADD CONSTRAINT analyses_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.chat
    ADD CONSTRAINT chat_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT hooks_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plies
    ADD CONSTRAINT plies_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.snapshots
    ADD CONSTRAINT snapshots_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_match_fkey FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
