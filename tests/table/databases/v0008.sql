-- A database of diablerie 0.2.0 (revision 0008), begun by 0.1 and upgraded by 0.2.0.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
CREATE TABLE analyses (
	"match" VARCHAR(32) NOT NULL,
	games INTEGER NOT NULL,
	chances TEXT NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "analyses" VALUES('YYSLOvHE1vmm',2,'{"chances":[[1.0,0.0],[1.0,0.0],[1.0,0.0],[1.0,0.0],[1.0,0.0],[0.0,1.0],[1.0,0.0],[0.5,0.5],[0.5,0.5],[0.5,0.5],[1.0,0.0],[1.0,0.0],[0.5,0.5],[0.5,0.5],[1.0,0.0],[1.0,0.0],[1.0,0.0],[0.5,0.5],[0.0,1.0],[0.5,0.5],[1.0,0.0],[1.0,0.0],[0.5,0.5],[1.0,0.0],[1.0,0.0],[1.0,0.0],[0.0,1.0],[0.0,1.0],[1.0,0.0],[1.0,0.0],[1.0,0.0],[0.0,1.0],[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.0,1.0],[0.0,1.0],[1.0,0.0],[0.5,0.5],[0.5,0.5],[0.5,0.0],[0.5,0.5],[0.5,0.5],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.5,0.5],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[1.0,0.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.5,0.5],[0.5,0.5],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.0,1.0],[0.5,0.5],[1.0,0.0],[1.0,0.0],[1.0,0.0],[1.0,0.0],[1.0,0.0]],"played":[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2],"verdicts":[[63,1,true,"lay 1",0.188,null]]}');
CREATE TABLE budgets (
	kind VARCHAR(16) NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	level FLOAT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (kind, client)
);
CREATE TABLE chat (
	"match" VARCHAR(32) NOT NULL,
	id INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	text TEXT NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY ("match", id),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "chat" VALUES('wFH17gsgal38',1,0,'hello',1000.0);
INSERT INTO "chat" VALUES('vD3fH1ODZQWa',1,0,'hello',2075.0);
INSERT INTO "chat" VALUES('vD3fH1ODZQWa',2,1,'grüß dich, mulțumesc',2076.0);
CREATE TABLE hooks (
	"match" VARCHAR(32) NOT NULL, 
	url TEXT NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	language VARCHAR(16) NOT NULL, 
	home VARCHAR(255) NOT NULL, 
	failures INTEGER NOT NULL, heard INTEGER DEFAULT '-1' NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "hooks" VALUES('vD3fH1ODZQWa','https://bell.example/turn','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2','de','https://devils.example',0,-1);
CREATE TABLE hours (
	id INTEGER NOT NULL, 
	seconds FLOAT NOT NULL, noted FLOAT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "hours" VALUES(1,1.46629525199996351152e+01,0.0);
CREATE TABLE looks (
	process VARCHAR(32) NOT NULL, 
	"match" VARCHAR(32) NOT NULL, 
	visitor VARCHAR(64) NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	pages INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (process, "match", visitor, client)
);
CREATE TABLE matches (
	id VARCHAR(32) NOT NULL,
	game VARCHAR(32) NOT NULL,
	rules INTEGER NOT NULL,
	options TEXT NOT NULL,
	"key" VARCHAR(64) NOT NULL,
	commitment VARCHAR(64) NOT NULL,
	status VARCHAR(8) NOT NULL,
	public BOOLEAN NOT NULL,
	hints BOOLEAN DEFAULT 0 NOT NULL,
	origin VARCHAR(32) DEFAULT '' NOT NULL,
	taken INTEGER DEFAULT '0' NOT NULL,
	host VARCHAR(64) NOT NULL,
	created FLOAT NOT NULL,
	rematch VARCHAR(32) NOT NULL,
	revision INTEGER NOT NULL, fair INTEGER DEFAULT '1' NOT NULL, waits FLOAT DEFAULT '0' NOT NULL, pace INTEGER DEFAULT '0' NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('wFH17gsgal38','coals',1,'{"pact": "every_devil", "mouth": "20", "track": "200,300,500,800,1200,1600", "goal": "1600", "furnace": "2,3,7,9,9,9,9", "open_purses": "no"}','2f48575898a2e7455f4e0667e0694ff1953de2c09eb1def7a8254b7faeb4e5ee','4e9e1d177e03942bb10e21f442686197df51e60f0f3f1e118cf23a4379848824','running',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',1000.0,'',1,1,0.0,0);
INSERT INTO "matches" VALUES('_a0m_m-N7Zny','tails',1,'{}','8d79258471d1de66c68bef0dd1c8dee28a968fa1ea7c4f421db68ebc674541df','8b3aa442b7b57c3729ab492d2aa2360088e01dde1ab39d7e08bc5bbad9cef040','open',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',1000.0,'',0,2,0.0,0);
INSERT INTO "matches" VALUES('YYSLOvHE1vmm','tails',1,'{}','fd54fc56fea3e9b0404b25c4e6f14b091a792869bf4e20fa473db7a4242049c8','4719e4647cfd9e4a3e518ab9731c2cefbdb8bcb2bb63e01ff56ef292937de960','over',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',2005.0,'C3aW8dKvIPOs',3,2,0.0,0);
INSERT INTO "matches" VALUES('C3aW8dKvIPOs','tails',1,'{}','95ab733d8ebb175427f0b9e96e8e9bc9bc54f98c7f753a2d4d89848ea0677618','84937a43fb61a7260ccca6c164bf45b5d6aa14d78f902d869da5d5725b98ef3d','running',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',2064.0,'',1,2,0.0,0);
INSERT INTO "matches" VALUES('vD3fH1ODZQWa','coals',1,'{"pact": "every_devil", "mouth": "20", "track": "200,300,500,800,1200,1600", "goal": "1600", "furnace": "2,3,7,9,9,9,9", "open_purses": "no"}','14e69136583933d91062cb2514aa2ec216d309ca5b84b028866ef2048ea09a3f','47b32d011e084180452a61392698354b17967ed5575b16b8617284e6959a6931','running',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',2068.0,'',8,2,0.0,3600);
INSERT INTO "matches" VALUES('y5lVdVzjahpL','underworld',1,'{"gift": "must"}','245a642d0debc7dbbf4dbaa8b61e37b84ab909e9a7b1f818071a2cff3646ef08','55b41820412897c90557c4ec9841cbf1573ff89468b2a78f72d3fa64ca265db5','running',1,1,'',0,'168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91',2078.0,'',2,2,0.0,0);
INSERT INTO "matches" VALUES('D1eyUM3B0vV0','kitchen',1,'{"stove": "8"}','90f8a58675f22a9fda0c0982fb864e085618166dd55f1d9e1bf0163eb48a30fb','91e040ca844d2fdce0861a3fe5aa153b4cda8b228ce24b2e02caa2faafd30b27','running',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',2096.0,'',1,2,0.0,0);
INSERT INTO "matches" VALUES('KCSu02-9Qezh','kitchen',1,'{"stove": "8"}','aa6e5519fa3ea59e9ffa523f91db4beb575d2ff191a3c92f6ff40f7d9f2c1a20','83e6393335f891d303c95ca495096e3a1929564ecda5e63d91c588b00dfc1f8f','running',0,1,'',0,'168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91',2106.0,'',1,2,0.0,0);
INSERT INTO "matches" VALUES('2DUGMOX--SMi','coals',1,'{"pact": "every_devil", "mouth": "20", "track": "200,300,500,800,1200,1600", "goal": "1600", "furnace": "2,3,7,9,9,9,9", "open_purses": "no"}','128b0822c824093b0e54b285959cbd845076a67a615daeeec036606cbb23a3ce','89fe10b69f7a14377daaeb1cc8075d2f002f37634c7b1173abef621bcbd0f8cd','open',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',2114.0,'',1,2,2115.0,0);
INSERT INTO "matches" VALUES('a6BcJM9xWbe-','tails',1,'{}','7db7aa2050b0b7db27268773750f1816a2716287aa2a23b66fe90260d19c5ed4','c189ca2aa5a8690394e0f50421b19453eae6f69e4844b0f2c951d215ff92a1a1','open',0,0,'',0,'df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',2116.0,'',0,2,0.0,0);
CREATE TABLE passes (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	sealed TEXT NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "passes" VALUES('cb15547edc1fcfb95204d0ac534632fd0ab621fa3da928b5eb85bdc331e58832','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb','9158',2118.0);
CREATE TABLE plies (
	"match" VARCHAR(32) NOT NULL,
	ply INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	events TEXT NOT NULL,
	at FLOAT NOT NULL,
	since INTEGER NOT NULL,
	PRIMARY KEY ("match", ply),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "plies" VALUES('wFH17gsgal38',0,-1,'[[-1, "first 1"]]',1000.0,1);
INSERT INTO "plies" VALUES('wFH17gsgal38',1,0,'[[0, "bet 50"]]',1000.0,1);
INSERT INTO "plies" VALUES('wFH17gsgal38',2,1,'[[1, "bet 50"]]',1000.0,3);
INSERT INTO "plies" VALUES('wFH17gsgal38',3,1,'[[1, "pull"], [-1, "coal 100"]]',1000.0,4);
INSERT INTO "plies" VALUES('wFH17gsgal38',4,1,'[[1, "pull"], [-1, "coal 50"]]',1000.0,5);
INSERT INTO "plies" VALUES('wFH17gsgal38',5,1,'[[1, "pull"], [-1, "coal devil"]]',1000.0,6);
INSERT INTO "plies" VALUES('wFH17gsgal38',6,0,'[[0, "pull"], [-1, "coal devil"]]',2002.0,7);
INSERT INTO "plies" VALUES('wFH17gsgal38',7,0,'[[0, "bet 40"]]',2003.0,7);
INSERT INTO "plies" VALUES('wFH17gsgal38',8,1,'[[1, "bet 120"]]',2004.0,9);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',0,-1,'[[-1, "first 1"]]',2006.0,1);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',1,1,'[[1, "near 4"], [-1, "tile 01-24-35"]]',2007.0,2);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',2,1,'[[1, "lay 0"], [-1, "tile 05-12-34"]]',2008.0,3);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',3,0,'[[0, "lay 0"]]',2008.0,4);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',4,0,'[[0, "far 2"], [-1, "tile 01-24-35"]]',2009.0,5);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',5,0,'[[0, "lay 2"], [-1, "tile 01-24-35"]]',2010.0,6);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',6,1,'[[1, "lay 0"]]',2011.0,7);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',7,1,'[[1, "near 22"], [-1, "tile 02-14-35"]]',2012.0,8);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',8,1,'[[1, "lay 2"], [-1, "tile 01-23-45"]]',2013.0,9);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',9,0,'[[0, "lay 0"]]',2013.0,10);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',10,0,'[[0, "far 3"], [-1, "tile 01-23-45"]]',2014.0,11);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',11,0,'[[0, "lay 0"], [-1, "tile 02-15-34"]]',2014.0,12);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',12,1,'[[1, "lay 2"]]',2015.0,13);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',13,1,'[[1, "far 20"], [-1, "tile 02-15-34"]]',2016.0,14);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',14,1,'[[1, "lay 0"], [-1, "tile 05-12-34"]]',2017.0,15);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',15,0,'[[0, "lay 0"]]',2017.0,16);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',16,0,'[[0, "far 15"], [-1, "tile 02-15-34"]]',2018.0,17);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',17,0,'[[0, "lay 1"], [-1, "tile 01-24-35"]]',2019.0,18);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',18,1,'[[1, "lay 1"]]',2020.0,19);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',19,1,'[[1, "far 11"], [-1, "tile 01-23-45"]]',2021.0,20);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',20,1,'[[1, "lay 0"], [-1, "tile 02-14-35"]]',2021.0,21);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',21,0,'[[0, "lay 0"]]',2022.0,22);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',22,0,'[[0, "far 14"], [-1, "tile 02-14-35"]]',2023.0,23);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',23,0,'[[0, "lay 2"], [-1, "tile 03-14-25"]]',2024.0,24);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',24,1,'[[1, "lay 0"]]',2024.0,25);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',25,1,'[[1, "near 18"], [-1, "tile 01-25-34"]]',2025.0,26);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',26,1,'[[1, "lay 0"], [-1, "tile 01-23-45"]]',2026.0,27);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',27,0,'[[0, "lay 0"]]',2026.0,28);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',28,0,'[[0, "near 12"], [-1, "tile 01-24-35"]]',2027.0,29);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',29,0,'[[0, "lay 2"], [-1, "tile 02-15-34"]]',2028.0,30);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',30,1,'[[1, "lay 0"]]',2029.0,31);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',31,1,'[[1, "far 23"], [-1, "tile 02-14-35"]]',2030.0,32);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',32,1,'[[1, "lay 2"], [-1, "tile 03-14-25"]]',2031.0,33);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',33,0,'[[0, "lay 0"]]',2031.0,34);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',34,0,'[[0, "near 26"], [-1, "tile 03-14-25"]]',2032.0,35);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',35,0,'[[0, "lay 0"], [-1, "tile 05-12-34"]]',2032.0,36);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',36,1,'[[1, "lay 0"]]',2032.0,37);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',37,1,'[[1, "near 16"], [-1, "tile 01-24-35"]]',2033.0,38);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',38,1,'[[1, "lay 0"], [-1, "tile 05-12-34"]]',2034.0,39);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',39,0,'[[0, "lay 0"]]',2034.0,40);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',40,0,'[[0, "near 9"], [-1, "tile 01-25-34"]]',2035.0,41);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',41,0,'[[0, "lay 2"], [-1, "tile 01-23-45"]]',2036.0,42);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',42,1,'[[1, "lay 0"]]',2036.0,43);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',43,1,'[[1, "near 27"], [-1, "tile 01-25-34"]]',2037.0,44);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',44,1,'[[1, "lay 0"], [-1, "tile 02-15-34"]]',2038.0,45);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',45,0,'[[0, "lay 0"]]',2039.0,46);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',46,0,'[[0, "far 6"], [-1, "tile 02-14-35"]]',2040.0,47);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',47,0,'[[0, "lay 2"], [-1, "tile 01-25-34"]]',2041.0,48);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',48,1,'[[1, "lay 0"]]',2042.0,49);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',49,1,'[[1, "near 21"], [-1, "tile 02-14-35"]]',2043.0,50);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',50,1,'[[1, "lay 1"], [-1, "tile 01-25-34"]]',2044.0,51);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',51,0,'[[0, "lay 0"]]',2045.0,52);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',52,0,'[[0, "far 13"], [-1, "tile 03-14-25"]]',2046.0,53);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',53,0,'[[0, "lay 0"], [-1, "tile 02-14-35"]]',2046.0,54);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',54,1,'[[1, "lay 2"]]',2047.0,55);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',55,1,'[[1, "far 19"], [-1, "tile 05-12-34"]]',2048.0,56);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',56,1,'[[1, "lay 0"], [-1, "tile 02-14-35"]]',2048.0,57);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',57,0,'[[0, "lay 2"]]',2049.0,58);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',58,0,'[[0, "near 10"], [-1, "tile 01-23-45"]]',2050.0,59);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',59,0,'[[0, "lay 0"], [-1, "tile 01-23-45"]]',2050.0,60);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',60,1,'[[1, "lay 0"]]',2050.0,61);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',61,1,'[[1, "far 24"], [-1, "tile 01-24-35"]]',2051.0,62);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',62,1,'[[1, "lay 0"], [-1, "tile 03-14-25"]]',2052.0,63);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',63,0,'[[0, "lay 0"]]',2052.0,64);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',64,0,'[[0, "far 8"], [-1, "tile 01-25-34"]]',2053.0,65);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',65,0,'[[0, "lay 1"], [-1, "tile 05-12-34"]]',2054.0,66);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',66,1,'[[1, "lay 0"]]',2054.0,67);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',67,1,'[[1, "far 5"], [-1, "tile 01-24-35"]]',2055.0,68);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',68,1,'[[1, "lay 2"], [-1, "tile 02-15-34"]]',2056.0,69);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',69,0,'[[0, "lay 2"]]',2057.0,70);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',70,0,'[[0, "far 7"], [-1, "tile 05-12-34"]]',2058.0,71);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',71,0,'[[0, "lay 0"], [-1, "tile 03-14-25"]]',2058.0,72);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',72,1,'[[1, "lay 0"]]',2058.0,73);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',73,1,'[[1, "far 25"], [-1, "tile 01-23-45"]]',2059.0,74);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',74,1,'[[1, "lay 0"], [-1, "tile 01-25-34"]]',2059.0,75);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',75,0,'[[0, "lay 2"]]',2060.0,76);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',76,0,'[[0, "far 1"], [-1, "tile 02-15-34"]]',2061.0,77);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',77,0,'[[0, "lay 1"], [-1, "tile 03-14-25"]]',2062.0,78);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',78,1,'[[1, "lay 0"]]',2062.0,79);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',79,1,'[[1, "near 17"], [-1, "tile 03-14-25"]]',2063.0,80);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',80,1,'[[1, "lay 0"], [-1, "tile 05-12-34"]]',2063.0,81);
INSERT INTO "plies" VALUES('YYSLOvHE1vmm',81,0,'[[0, "lay 0"]]',2063.0,82);
INSERT INTO "plies" VALUES('C3aW8dKvIPOs',0,-1,'[[-1, "first 1"]]',2065.0,1);
INSERT INTO "plies" VALUES('C3aW8dKvIPOs',1,1,'[[1, "near 19"], [-1, "tile 02-15-34"]]',2066.0,2);
INSERT INTO "plies" VALUES('C3aW8dKvIPOs',2,1,'[[1, "lay 1"], [-1, "tile 01-24-35"]]',2067.0,3);
INSERT INTO "plies" VALUES('vD3fH1ODZQWa',0,-1,'[[-1, "first 0"]]',2070.0,1);
INSERT INTO "plies" VALUES('vD3fH1ODZQWa',1,0,'[[0, "bet 180"]]',2071.0,1);
INSERT INTO "plies" VALUES('vD3fH1ODZQWa',2,1,'[[1, "bet 140"]]',2072.0,3);
INSERT INTO "plies" VALUES('vD3fH1ODZQWa',3,0,'[[0, "pull"], [-1, "coal devil"]]',2073.0,4);
INSERT INTO "plies" VALUES('vD3fH1ODZQWa',4,1,'[[1, "pull"], [-1, "coal 100"]]',2074.0,5);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',0,-1,'[[-1, "first 2"]]',2079.0,1);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',1,2,'[[2, "place u3"]]',2080.0,2);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',2,0,'[[0, "place w7"]]',2081.0,3);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',3,1,'[[1, "place y2"]]',2082.0,4);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',4,2,'[[2, "move t3"], [-1, "card C2"]]',2083.0,5);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',5,0,'[[0, "move w6"], [-1, "card B0"]]',2084.0,6);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',6,1,'[[1, "move z2"], [-1, "card B5"]]',2085.0,7);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',7,2,'[[2, "move t4"]]',2086.0,8);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',8,0,'[[0, "swap"]]',2087.0,9);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',9,0,'[[0, "exchange x6"]]',2088.0,10);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',10,0,'[[0, "with t7"]]',2089.0,11);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',11,1,'[[1, "swap"]]',2090.0,12);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',12,1,'[[1, "exchange v4"]]',2091.0,13);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',13,0,'{"note": "handover", "to": 0, "by": "sensible"}',2092.0,13);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',14,1,'[[1, "with z7"]]',2093.0,15);
INSERT INTO "plies" VALUES('y5lVdVzjahpL',15,2,'[[2, "move t2"], [-1, "card B3"]]',2094.0,16);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',0,-1,'[]',2097.0,1);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',1,0,'[[0, "menu 0 3 5 1"]]',2098.0,1);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',2,1,'[[1, "menu 3 5 0 1"], [-1, "first 0"]]',2099.0,3);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',3,0,'[[0, "pot bone c2"]]',2100.0,4);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',4,1,'[[1, "pot flame c6"]]',2101.0,5);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',5,0,'[[0, "pot eye c6"]]',2102.0,6);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',6,1,'[[1, "pot eye f5"]]',2103.0,7);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',7,0,'[[0, "pot star e3"]]',2104.0,8);
INSERT INTO "plies" VALUES('D1eyUM3B0vV0',8,1,'[[1, "pot star a2"]]',2105.0,9);
INSERT INTO "plies" VALUES('KCSu02-9Qezh',0,-1,'[]',2107.0,1);
INSERT INTO "plies" VALUES('KCSu02-9Qezh',1,0,'[[0, "menu 0 1 5 3"]]',2108.0,1);
INSERT INTO "plies" VALUES('KCSu02-9Qezh',2,1,'[[1, "menu 5 1 3 0"], [-1, "first 0"]]',2109.0,3);
INSERT INTO "plies" VALUES('KCSu02-9Qezh',3,0,'[[0, "pot flame b3"]]',2110.0,4);
INSERT INTO "plies" VALUES('KCSu02-9Qezh',4,1,'[[1, "pot bone e6"]]',2111.0,5);
INSERT INTO "plies" VALUES('KCSu02-9Qezh',5,0,'[[0, "pot bone d5"]]',2112.0,6);
INSERT INTO "plies" VALUES('KCSu02-9Qezh',6,0,'{"note": "takeback", "to": 5, "by": ""}',2113.0,7);
CREATE TABLE processes (
	id VARCHAR(32) NOT NULL, 
	threads INTEGER NOT NULL, 
	beat FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE pushes (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	endpoint TEXT NOT NULL, 
	p256dh VARCHAR(128) NOT NULL, 
	auth VARCHAR(64) NOT NULL, 
	language VARCHAR(16) NOT NULL, 
	home VARCHAR(255) NOT NULL, 
	created FLOAT NOT NULL, 
	told BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "pushes" VALUES('f62007a1d98805644ca41c16f6d0271cfd41019c724d02afde6c9eb580036fbd','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2','https://push.example/ann','BAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8','AAAAAAAAAAAAAAAAAAAAAA','en','https://devils.example',2117.0,0);
CREATE TABLE reports (
	"match" VARCHAR(32) NOT NULL, 
	line INTEGER NOT NULL, 
	reporter VARCHAR(64) NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	said FLOAT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY ("match", line, reporter)
);
INSERT INTO "reports" VALUES('vD3fH1ODZQWa',2,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',1,'Bo','grüß dich, mulțumesc',2076.0,2077.0);
CREATE TABLE results (
	"match" VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	won BOOLEAN NOT NULL, 
	points FLOAT, 
	PRIMARY KEY ("match", seat), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "results" VALUES('YYSLOvHE1vmm',0,1,25.0);
INSERT INTO "results" VALUES('YYSLOvHE1vmm',1,0,19.0);
CREATE TABLE seats (
	"match" VARCHAR(32) NOT NULL,
	seat INTEGER NOT NULL,
	kind VARCHAR(8) NOT NULL,
	name VARCHAR(64) NOT NULL,
	owner VARCHAR(64),
	link VARCHAR(64),
	bot VARCHAR(64) NOT NULL,
	stand_in VARCHAR(64) NOT NULL,
	nonce VARCHAR(64) NOT NULL, pledge VARCHAR(64) DEFAULT '' NOT NULL, called VARCHAR(64) DEFAULT '' NOT NULL, label VARCHAR(64) DEFAULT '' NOT NULL, due FLOAT DEFAULT '0' NOT NULL,
	PRIMARY KEY ("match", seat),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE,
	UNIQUE (link)
);
INSERT INTO "seats" VALUES('wFH17gsgal38',0,'person','Ann','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','9408f55ce77de106','','','',0.0);
INSERT INTO "seats" VALUES('wFH17gsgal38',1,'person','Bo','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',NULL,'','','e35a5de53da0ac93','','','',0.0);
INSERT INTO "seats" VALUES('_a0m_m-N7Zny',0,'person','','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','','','','',0.0);
INSERT INTO "seats" VALUES('_a0m_m-N7Zny',1,'open','',NULL,NULL,'','','','','','',0.0);
INSERT INTO "seats" VALUES('YYSLOvHE1vmm',0,'person','Ann','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','f81b110f6d1ad4f6bf32fcc5fd0302ce','','Ann','25b54e79aea047453da2ff018a9d9fc002aabc13753e9f0282e300bef9407ada',0.0);
INSERT INTO "seats" VALUES('YYSLOvHE1vmm',1,'person','Bo','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',NULL,'','','df03b022a533cc964230887ef18b3c18','','Bo','9059e7e82d4e7eabb434f39f158eab25ace7de9473d6027f41b08ca72b2af625',0.0);
INSERT INTO "seats" VALUES('C3aW8dKvIPOs',0,'person','Ann','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','c05eaed62f693031cd698c396e8b0157','','Ann','b7818e56cf524ba664351384bdd323a778b5ebe8dfa235b10bbf9d0217f7c667',0.0);
INSERT INTO "seats" VALUES('C3aW8dKvIPOs',1,'person','Bo','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',NULL,'','','aacebdbfa938c875bfe8e8a75d2c3225','','Bo','1b64ac392a33cd3a063b002697514b3a9ad61b0015eecb572542e39a5df1727a',0.0);
INSERT INTO "seats" VALUES('vD3fH1ODZQWa',0,'person','Ann','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2','970c5bfd6b15cc00d2dc8006cb09e15a00000000000000000000000000000000','','','ann''s','c1f38237ea152d3657023bae97951079e46da1609723815662492910e11fd56d','Ann','62d1c9a3da7e764134bc99ae384f300157c9e75b6e37601435616bb956bf1f17',0.0);
INSERT INTO "seats" VALUES('vD3fH1ODZQWa',1,'person','Bo','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',NULL,'','','bo''s','94e7553f62214cb04636cc8da937325f0eeb2d4fc13145ff16485c52da057dac','Bo','c700d4be9bbc2a55786fac84d21375e091c163675ff5793ef47392907c559e37',3.61392280030500023715e+03);
INSERT INTO "seats" VALUES('y5lVdVzjahpL',0,'person','Cy','168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91',NULL,'','sensible','5eeeb72fc9d6f48e72e68da4745653c3','','Cy','d680bf8fdbd4945492f5bff3c69f64e76cf1be3e03eef8853a6e2eea54bf8d45',0.0);
INSERT INTO "seats" VALUES('y5lVdVzjahpL',1,'person','','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','a8cd94142fa730f937740997b88c5f11','','','163de718b934cb61f0539842a5e48c539dce1c300f67281fd5e5ea1d9fc7abc6',0.0);
INSERT INTO "seats" VALUES('y5lVdVzjahpL',2,'bot','',NULL,NULL,'sensible','','fc95a4fb966ac40a69b3bd3d628a1401','','','457eadd1374543963c38dc7ce528cfd2a6873ee0cd94bae49df3b054ee9d1be4',0.0);
INSERT INTO "seats" VALUES('D1eyUM3B0vV0',0,'person','Ann','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','2fbd378e59df51e3754f03748441dd28','','Ann','320e7068744dc31ce93e59e5524d384dc1bc1e0468bda982bc13f393cd26097b',0.0);
INSERT INTO "seats" VALUES('D1eyUM3B0vV0',1,'program','Robot','08fe8ac7ac587be701c3548fde6685d8ddda7f30fd652e773cbbeb0ad7728fe9',NULL,'','','dfdf0674d76159b6fe995396678b14c8','','Robot','19aff232cf91521fca0e994318012320a972587b958d3dee0c37762fab6a6fb1',0.0);
INSERT INTO "seats" VALUES('KCSu02-9Qezh',0,'person','','168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91',NULL,'','','11dda5461beaf677c5efc8a0673bc37e','','','6ea8f923f8c29501fd5973df276252871cd0cb961db73508a9c8c61fea710c3e',0.0);
INSERT INTO "seats" VALUES('KCSu02-9Qezh',1,'bot','',NULL,NULL,'oberteufel','','818c9a306f5f224665ed6bc5662b9830','','','f20cb682563a2b2ef073f4e449dd47dcc57e534e2a86d0fea97386bddec0ce78',0.0);
INSERT INTO "seats" VALUES('2DUGMOX--SMi',0,'person','','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','','7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed','','',0.0);
INSERT INTO "seats" VALUES('2DUGMOX--SMi',1,'person','','168fa1d4e9b3a94f8106c3f3e325b1ea7180e55a6cf84dcce60bec92476d5c91',NULL,'','','','3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3','','',0.0);
INSERT INTO "seats" VALUES('a6BcJM9xWbe-',0,'person','','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',NULL,'','','','','','',0.0);
INSERT INTO "seats" VALUES('a6BcJM9xWbe-',1,'open','',NULL,NULL,'','','','','','',0.0);
CREATE TABLE snapshots (
	"match" VARCHAR(32) NOT NULL,
	ply INTEGER NOT NULL,
	layout VARCHAR(32) NOT NULL,
	state BLOB NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "snapshots" VALUES('YYSLOvHE1vmm',82,'33bed65303bee037',X'0000000000000000050200FF00FF1A360000000001000103110B03000B1303131106120000000D1203000911000C12030003060C1103101106060E060C030E000F0B11060A0906091409140C06000000');
CREATE TABLE tokens (
	id VARCHAR(64) NOT NULL, 
	maker VARCHAR(64) NOT NULL, 
	address VARCHAR(64) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	scopes VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	used FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tokens" VALUES('08fe8ac7ac587be701c3548fde6685d8ddda7f30fd652e773cbbeb0ad7728fe9','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb','127.0.0.1','Robot','play',2095.0,2095.0);
CREATE TABLE turns (
	"match" VARCHAR(32) NOT NULL, 
	due FLOAT NOT NULL, 
	lease FLOAT NOT NULL, 
	holder VARCHAR(64) NOT NULL, 
	client VARCHAR(64) NOT NULL, 
	alone BOOLEAN NOT NULL, 
	PRIMARY KEY ("match"), 
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX matches_by_status ON matches (status, created);
CREATE INDEX seats_by_owner ON seats (owner);
CREATE INDEX tokens_by_maker ON tokens (maker);
CREATE INDEX tokens_by_address ON tokens (address);
CREATE INDEX pushes_by_owner ON pushes (owner);
CREATE INDEX seats_by_due ON seats (due);
CREATE INDEX looks_by_match ON looks ("match");
CREATE INDEX budgets_by_at ON budgets (at);
CREATE INDEX turns_by_due ON turns (due);
COMMIT;
